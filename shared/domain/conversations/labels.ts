/** The texts that a project's clients show, by language (contract b 10). */
import type { z } from 'zod';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError, notFound } from '../../errors.ts';
import { ENGLISH, shippedIn } from '../../labels/labels.ts';
import { Label, type LabelEntryView, LabelsView } from '../../models/label.ts';
import { Outbox } from '../../models/outbox.ts';
import { ACTIVE, Project } from '../../models/project.ts';
import { inTransaction, makeOnce } from '../../mongo.ts';
import { readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';

const FIELDS = fieldsOf(LabelsView);
/** As many with the largest texts are one record, and one event, that the database takes. */
const MOST_LANGUAGES = 30;

type Stored = z.input<typeof LabelsView>;
type Entry = z.input<typeof LabelEntryView>;

/** Who writes the texts of which project. */
interface Where {
  id_project: string;
  by: string;
}

const find = async (id_project: string): Promise<Stored | null> =>
  (await readOne(Label, { id_project }, FIELDS)) as Stored | null;

/** All texts of the project, or null; 400 for a project that is not in use: whoever has no credentials is told so here. */
export const read = async (id_project: string): Promise<Stored | null> => {
  const isOpen = isId(id_project) && (await Project.exists({ _id: id_project, status: ACTIVE }));
  if (!isOpen) throw new AppError(400, 'NO_PROJECT', `Project ${id_project} not found`);
  return find(id_project);
};

/** Where the texts of a language are looked for, one after the other (contract b 10.3). */
const chain = (entries: Entry[], lang: string): Entry[] =>
  [
    entries.find((entry) => entry.lang === lang),
    entries.find((entry) => entry.default),
    entries.find((entry) => entry.lang === 'EN'),
    { lang: 'EN', data: ENGLISH, default: false },
  ].filter((entry) => entry !== undefined);

const inLanguage = (stored: Stored | null, lang: string): Entry => chain(stored?.data ?? [], lang)[0] as Entry;

/** The texts of a language, or those that stand in for it. */
export const readLanguage = async (id_project: string, lang: string): Promise<Entry> =>
  inLanguage(await read(id_project), lang);

const wordIn = (entries: Entry[], key: string): string | undefined => {
  const has = entries.find(({ data }) => Object.hasOwn(data, key) && typeof data[key] === 'string');
  return has?.data[key] as string | undefined;
};

const chainOf = async (id_project: string, lang: string): Promise<Entry[]> =>
  chain((await find(id_project))?.data ?? [], lang.toUpperCase());

/** One text in a language, or in the nearest that has it; empty where none does. */
export const wordOf = async (id_project: string, lang: string, key: string): Promise<string> =>
  wordIn(await chainOf(id_project, lang), key) ?? '';

const PLACE = /\$\{([^{}]{1,200})\}/g;

/** Puts the words of a language in place of each `${KEY}` of a text; a key that no language has stays as it is. */
export const fillerOf = async (id_project: string, lang: string): Promise<(text: string) => string> => {
  const entries = await chainOf(id_project, lang);
  return (text) => text.replace(PLACE, (place, key: string) => wordIn(entries, key) ?? place);
};

type Told = 'label.create' | 'label.update' | 'label.clone' | 'label.delete';

/** From the texts that were to those that shall be; again from the start when somebody else wrote meanwhile. */
const change = async ({ id_project, by }: Where, told: Told, next: (before: Entry[]) => Entry[]): Promise<Stored> => {
  for (;;) {
    const before = await find(id_project);
    const data = next(before?.data ?? []);
    if (!before) {
      const first = new Label({ _id: newId(), id_project, data, createdBy: by });
      if (await makeOnce(() => first.save(emits(told)))) return first.toObject();
    } else {
      const options = { ...emits(told), returnDocument: 'after', projection: FIELDS } as const;
      const after = await Label.findOneAndUpdate({ id_project, __v: before.__v }, { $set: { data } }, options).lean();
      if (after) return after;
    }
  }
};

const put = (entries: Entry[], entry: Omit<Entry, '_id'>): Entry[] => {
  const at = entries.findIndex(({ lang }) => lang === entry.lang);
  if (at < 0 && entries.length >= MOST_LANGUAGES)
    throw new AppError(422, 'INVALID', `lang: at most ${MOST_LANGUAGES} languages`);
  return at < 0 ? [...entries, { _id: newId(), ...entry }] : entries.with(at, { _id: entries[at]?._id, ...entry });
};

const onlyDefault = (entries: Entry[], lang: string): Entry[] =>
  entries.map((entry) => ({ ...entry, default: entry.lang === lang }));

interface Given {
  lang: string;
  data: Entry['data'];
  category?: string;
  /** Absent: as it was. */
  default?: boolean;
}

/** Write the texts of a language, in place of those it had; the first language is the default. */
export const write = async (where: Where, { lang, ...given }: Given): Promise<Entry> => {
  const stored = await change(where, 'label.create', (entries) => {
    const before = entries.find((entry) => entry.lang === lang);
    const entry = { lang, ...given, default: entries.length ? (given.default ?? before?.default ?? false) : true };
    const after = put(entries, entry);
    return entry.default ? onlyDefault(after, lang) : after;
  });
  return inLanguage(stored, lang);
};

/** Take over a language that comes with the service, or English texts for one that does not; what the project had of it is lost. */
export const clone = (where: Where, lang: string): Promise<Stored> => {
  const { data } = shippedIn(lang) ?? { data: ENGLISH };
  return change(where, 'label.clone', (entries) => put(entries, { lang, data, default: entries.length === 0 }));
};

const known = (entries: Entry[], lang: string): Entry => {
  const entry = entries.find((one) => one.lang === lang);
  if (!entry) throw notFound(`No labels of the language ${lang}`);
  return entry;
};

/** Make a language the one that stands in for those the project does not have. */
export const makeDefault = async (where: Where, lang: string): Promise<Entry> => {
  const stored = await change(where, 'label.update', (entries) => onlyDefault(entries, known(entries, lang).lang));
  return inLanguage(stored, lang);
};

/** Delete a language; 400 for the default one. What stands in for it now is returned. */
export const remove = async (where: Where, lang: string): Promise<Entry> => {
  const stored = await change(where, 'label.delete', (entries) => {
    if (known(entries, lang).default) throw new AppError(400, 'IS_DEFAULT', 'The default language cannot be deleted');
    return entries.filter((entry) => entry.lang !== lang);
  });
  return inLanguage(stored, lang);
};

/** Delete all texts of the project, and tell how many records that were: one or none. */
export const removeAll = (id_project: string): Promise<number> =>
  inTransaction(async (session) => {
    const stored = await Label.findOneAndDelete({ id_project }, { session, projection: FIELDS }).lean();
    if (!stored) return 0;
    const told = { id_project, record: String(stored._id), shown: stored };
    await Outbox.create([told], { session, ...emits('label.delete') });
    return 1;
  });
