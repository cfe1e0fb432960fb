/** Labels: the texts that a project's clients show, by language. */
import type { z } from 'zod';
import { newId } from '../../../context.ts';
import { inTransaction } from '../../../database/connection.ts';
import { insertIfAbsent } from '../../../database/unique-keys.ts';
import { emits } from '../../../events.ts';
import { readOne } from '../../../database/raw-read.ts';
import { AppError, notFound } from '../../../errors.ts';
import { FALLBACK_LABELS, findBuiltInLabels } from '../../../labels/built-in-labels.ts';
import { Label, type LabelEntryView, LabelsView } from '../../../models/label.ts';
import { Outbox } from '../../../models/outbox.ts';
import { PROJECT_ACTIVE, Project } from '../../../models/project.ts';
import { isId, projectionOf } from '../../../wire/view.ts';

const LABEL_FIELDS = projectionOf(LabelsView);
/**
 * Maximum number of languages per project. Labels in this many languages fit into one record and one event, even if
 * their texts have the maximum size.
 */
const MAX_LANGUAGES = 30;

type StoredLabels = z.input<typeof LabelsView>;
type LanguageEntry = z.input<typeof LabelEntryView>;

/** The project, and the id of the teammate who changes its labels. */
interface LabelsContext {
  id_project: string;
  actorId: string;
}

const find = async (id_project: string): Promise<StoredLabels | null> =>
  (await readOne(Label, { id_project }, LABEL_FIELDS)) as StoredLabels | null;

/** Returns all labels of the project, or null if it has none. Throws 400 if the project is unknown or disabled. */
export const read = async (id_project: string): Promise<StoredLabels | null> => {
  const isActive = isId(id_project) && (await Project.exists({ _id: id_project, status: PROJECT_ACTIVE }));
  if (!isActive) throw new AppError(400, 'PROJECT_NOT_FOUND', `Project ${id_project} not found`);
  return find(id_project);
};

/**
 * Returns the entries in which a label is looked up, in order: those of the project in the language `lang`, in its
 * default language and in English, then the built-in labels `builtIn`. There is always at least one entry.
 */
const fallbackChain = (entries: LanguageEntry[], lang: string, builtIn = FALLBACK_LABELS): LanguageEntry[] =>
  [
    entries.find((entry) => entry.lang === lang),
    entries.find((entry) => entry.default),
    entries.find((entry) => entry.lang === 'EN'),
    { lang: 'EN', data: builtIn, default: false },
  ].filter((entry) => entry !== undefined);

const entryFor = (stored: StoredLabels | null, lang: string): LanguageEntry =>
  fallbackChain(stored?.data ?? [], lang)[0] as LanguageEntry;

/**
 * Returns the project's labels in a language or, if it has none, those in its default language or in English. A project
 * without any of these gets the built-in English labels. Throws the errors of `read`.
 */
export const readLanguage = async (id_project: string, lang: string): Promise<LanguageEntry> =>
  entryFor(await read(id_project), lang);

const textIn = (entries: LanguageEntry[], key: string): string | undefined => {
  const entry = entries.find(({ data }) => Object.hasOwn(data, key) && typeof data[key] === 'string');
  return entry?.data[key] as string | undefined;
};

/**
 * Reads the entries in which a text of a message is looked up. Unlike in `readLanguage`, a project without labels uses
 * the built-in labels of the language, such as those of `PT` for `pt-BR`.
 */
const readFallbackChain = async (id_project: string, lang: string): Promise<LanguageEntry[]> => {
  const stored = await find(id_project);
  const language = lang.toUpperCase();
  const builtIn = stored ? undefined : findBuiltInLabels(language.split(/[-_]/)[0] ?? '')?.data;
  return fallbackChain(stored?.data ?? [], language, builtIn);
};

/** Returns one label in a language or its fallbacks, or an empty string if none of them has the label. */
export const labelText = async (id_project: string, lang: string, key: string): Promise<string> =>
  textIn(await readFallbackChain(id_project, lang), key) ?? '';

const PLACEHOLDER = /\$\{([^{}]{1,200})\}/g;

/** Returns a function that replaces each `${KEY}` in a string with the label of that key, if there is one. */
export const labelFiller = async (id_project: string, lang: string): Promise<(text: string) => string> => {
  const entries = await readFallbackChain(id_project, lang);
  return (text) => text.replace(PLACEHOLDER, (placeholder, key: string) => textIn(entries, key) ?? placeholder);
};

type LabelEvent = 'label.create' | 'label.update' | 'label.clone' | 'label.delete';

/** Applies `next` to the entries and stores the result. Retries if another call has written in the meantime. */
const updateEntries = async (
  { id_project, actorId }: LabelsContext,
  event: LabelEvent,
  next: (before: LanguageEntry[]) => LanguageEntry[],
): Promise<StoredLabels> => {
  for (;;) {
    const before = await find(id_project);
    const data = next(before?.data ?? []);
    if (!before) {
      const created = new Label({ _id: newId(), id_project, data, createdBy: actorId });
      if (await insertIfAbsent(() => created.save(emits(event)))) return created.toObject();
    } else {
      const options = { ...emits(event), returnDocument: 'after', projection: LABEL_FIELDS } as const;
      const after = await Label.findOneAndUpdate({ id_project, __v: before.__v }, { $set: { data } }, options).lean();
      if (after) return after;
    }
  }
};

const putEntry = (entries: LanguageEntry[], entry: Omit<LanguageEntry, '_id'>): LanguageEntry[] => {
  const index = entries.findIndex(({ lang }) => lang === entry.lang);
  if (index < 0 && entries.length >= MAX_LANGUAGES)
    throw new AppError(
      422,
      'INVALID',
      `lang: a project can have labels in at most ${MAX_LANGUAGES} languages; delete one first`,
    );
  return index < 0
    ? [...entries, { _id: newId(), ...entry }]
    : entries.with(index, { _id: entries[index]?._id, ...entry });
};

const withDefault = (entries: LanguageEntry[], lang: string): LanguageEntry[] =>
  entries.map((entry) => ({ ...entry, default: entry.lang === lang }));

interface LanguageInput {
  lang: string;
  data: LanguageEntry['data'];
  category?: string;
  /** Whether the language is the default one. If absent, this does not change. */
  default?: boolean;
}

/** Replaces the labels of a language. The first language of a project becomes its default. */
export const write = async (context: LabelsContext, { lang, ...input }: LanguageInput): Promise<LanguageEntry> => {
  const stored = await updateEntries(context, 'label.create', (entries) => {
    const before = entries.find((entry) => entry.lang === lang);
    const entry = { lang, ...input, default: entries.length ? (input.default ?? before?.default ?? false) : true };
    const after = putEntry(entries, entry);
    return entry.default ? withDefault(after, lang) : after;
  });
  return entryFor(stored, lang);
};

/**
 * Replaces the labels of a language with the built-in labels of that language or, if there are none, of English. The
 * language is then not the default one, unless it is the first of the project.
 */
export const clone = (context: LabelsContext, lang: string): Promise<StoredLabels> => {
  const { data } = findBuiltInLabels(lang) ?? { data: FALLBACK_LABELS };
  return updateEntries(context, 'label.clone', (entries) =>
    putEntry(entries, { lang, data, default: entries.length === 0 }),
  );
};

const requireEntry = (entries: LanguageEntry[], lang: string): LanguageEntry => {
  const entry = entries.find((candidate) => candidate.lang === lang);
  if (!entry) throw notFound(`Labels for the language ${lang} not found`);
  return entry;
};

/** Makes a language the default, the fallback for other languages. Throws 404 for a language without labels. */
export const makeDefault = async (context: LabelsContext, lang: string): Promise<LanguageEntry> => {
  const stored = await updateEntries(context, 'label.update', (entries) =>
    withDefault(entries, requireEntry(entries, lang).lang),
  );
  return entryFor(stored, lang);
};

/**
 * Deletes the labels of a language and returns those of its fallback. Errors: 400 for the default language, 404 for a
 * language without labels.
 */
export const remove = async (context: LabelsContext, lang: string): Promise<LanguageEntry> => {
  const stored = await updateEntries(context, 'label.delete', (entries) => {
    if (requireEntry(entries, lang).default)
      throw new AppError(
        400,
        'DEFAULT_LANGUAGE',
        'The default language cannot be deleted; make another language the default first',
      );
    return entries.filter((entry) => entry.lang !== lang);
  });
  return entryFor(stored, lang);
};

/** Deletes all labels of the project. Returns the number of deleted records: 1 or 0. */
export const removeAll = (id_project: string): Promise<number> =>
  inTransaction(async (session) => {
    const stored = await Label.findOneAndDelete({ id_project }, { session, projection: LABEL_FIELDS }).lean();
    if (!stored) return 0;
    const deletion = { id_project, record: String(stored._id), view: stored };
    await Outbox.create([deletion], { session, ...emits('label.delete') });
    return 1;
  });
