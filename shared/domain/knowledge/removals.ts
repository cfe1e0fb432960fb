/** Taking contents away with everything they left, so that no kill half way leaves a passage behind. */
import type { Types } from 'mongoose';
import { emits } from '../../emits.ts';
import { KbContent, KbContentView } from '../../models/kb-content.ts';
import { KbRemoval } from '../../models/kb-removal.ts';
import { Outbox } from '../../models/outbox.ts';
import { inTransaction } from '../../mongo.ts';
import { IndexDown } from '../../vectors/index.ts';
import { fieldsOf } from '../../view.ts';
import { removeAttempts } from './chunks.ts';

const BATCH = 500;
/** Deleted contents are told whole, and a transaction should stay small. */
const AT_ONCE = 100;

interface Filter {
  id_project: string;
  namespace?: string;
  _id?: string;
}

interface Doomed {
  _id: Types.ObjectId;
  id_project: string;
  namespace: string;
  attempts: string[];
  lease?: Date | null;
}

const noted = ({ _id, id_project, namespace, attempts, lease }: Doomed) => ({
  id_project,
  namespace,
  content: String(_id),
  attempts,
  due: lease ?? new Date(),
});

const FIELDS = { ...fieldsOf(KbContentView), attempts: 1, lease: 1 } as const;

const told = (doomed: Doomed) => {
  const shown: Partial<Doomed> = { ...doomed };
  delete shown.attempts;
  delete shown.lease;
  return { insertOne: { document: { id_project: doomed.id_project, record: String(doomed._id), shown } } };
};

/**
 * Delete some of the contents, tell so, and note what they left behind; their ids. All in one transaction, so that a worker
 * who takes one meanwhile is in the note too.
 */
const forget = (filter: Filter): Promise<string[]> =>
  inTransaction(async (session) => {
    const doomed = (await KbContent.find(filter, FIELDS, { session }).limit(AT_ONCE).lean()) as Doomed[];
    if (!doomed.length) return [];
    const ids = doomed.map(({ _id }) => _id);
    await KbRemoval.insertMany(doomed.map(noted), { session });
    await KbContent.deleteMany({ id_project: filter.id_project, _id: { $in: ids } }, { session });
    await Outbox.bulkWrite(doomed.map(told), { session, ...emits('kb.content.delete') });
    return ids.map(String);
  });

const byNamespace = <T extends { id_project: string; namespace: string }>(records: T[]): T[][] => [
  ...Map.groupBy(records, ({ id_project, namespace }) => `${id_project}/${namespace}`).values(),
];

interface Note {
  _id: Types.ObjectId;
  id_project: string;
  namespace: string;
  attempts: string[];
  due: Date;
}

/** Remove what the notes tell of; a note whose worker may still write stays until its lease has ended. */
const cleanUp = async (notes: Note[]): Promise<void> => {
  for (const group of byNamespace(notes)) {
    const { id_project, namespace } = group[0] as Note;
    await removeAttempts({ id_project, namespace, attempts: group.flatMap(({ attempts }) => attempts) });
    const over = group.filter(({ due }) => due <= new Date());
    await KbRemoval.deleteMany({ id_project, _id: { $in: over.map(({ _id }) => _id) } });
  }
};

/** What the store does not take off now, because it is away, the next sweep does. */
const cleanUpNow = async (noted: { id_project: string; content: { $in: string[] } }): Promise<void> => {
  try {
    await cleanUp(await KbRemoval.find(noted).lean());
  } catch (error) {
    if (!(error instanceof IndexDown)) throw error;
  }
};

/** Remove contents of a project with their passages and vectors; the number removed. */
export const remove = async (filter: Filter): Promise<number> => {
  let removed = 0;
  for (;;) {
    const gone = await forget(filter);
    if (!gone.length) return removed;
    removed += gone.length;
    await cleanUpNow({ id_project: filter.id_project, content: { $in: gone } });
  }
};

/** Finish what a killed process began, and what a worker wrote after its content was gone. */
export const finishRemovals = async (): Promise<void> => {
  for (;;) {
    const notes = await KbRemoval.find({ due: { $lte: new Date() } }, null, { anyProject: true })
      .limit(BATCH)
      .lean();
    if (!notes.length) return;
    await cleanUp(notes);
  }
};

/**
 * Remove the passages of attempts that came to nothing or were replaced, of one content or of all.
 * A content that changed meanwhile is left for the next time.
 */
export const cleanLitter = async (only: { id_project?: string; _id?: string } = {}): Promise<void> => {
  const fields = { id_project: 1, namespace: 1, attempts: 1, current: 1, __v: 1 } as const;
  const left = await KbContent.find({ ...only, litter: true, lease: null }, fields, { anyProject: true })
    .limit(BATCH)
    .lean();
  const stale = left.map((content) => ({
    ...content,
    attempts: content.attempts.filter((attempt) => attempt !== content.current),
  }));
  for (const group of byNamespace(stale)) {
    const { id_project, namespace } = group[0] as (typeof stale)[number];
    await removeAttempts({ id_project, namespace, attempts: group.flatMap(({ attempts }) => attempts) });
    const swept = group.map(({ _id, attempts, __v }) => ({
      updateOne: {
        filter: { _id, id_project, __v },
        update: { $pull: { attempts: { $in: attempts } }, $unset: { litter: 1 } },
      },
    }));
    await KbContent.bulkWrite(swept);
  }
};
