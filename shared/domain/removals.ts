/** Taking contents away with everything they left, so that no kill half way leaves a passage behind. */
import type { Types } from 'mongoose';
import { inTransaction } from '../mongo.ts';
import { KbContent } from '../models/kb-content.ts';
import { KbRemoval } from '../models/kb-removal.ts';
import { removeAttempts } from './chunks.ts';

const BATCH = 500;

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

/** Delete these contents in one transaction with the note of what they left behind. */
const forget = (id_project: string, doomed: Doomed[]) =>
  inTransaction(async (session) => {
    await KbRemoval.insertMany(doomed.map(noted), { session });
    await KbContent.deleteMany({ id_project, _id: { $in: doomed.map(({ _id }) => _id) } }, { session });
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

/** Remove contents of a project with their passages and vectors; the number removed. */
export const remove = async (filter: { id_project: string; namespace?: string; _id?: string }): Promise<number> => {
  const fields = { id_project: 1, namespace: 1, attempts: 1, lease: 1 } as const;
  let removed = 0;
  for (;;) {
    const doomed = (await KbContent.find(filter, fields).limit(BATCH).lean()) as Doomed[];
    if (!doomed.length) return removed;
    await forget(filter.id_project, doomed);
    const notes = await KbRemoval.find({
      id_project: filter.id_project,
      content: { $in: doomed.map(({ _id }) => String(_id)) },
    }).lean();
    await cleanUp(notes);
    removed += doomed.length;
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
    await KbContent.bulkWrite(swept as never);
  }
};
