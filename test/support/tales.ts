/** Records that tell events, and what must be true of the log when they have. */
import { expect } from 'chai';
import { KbContent } from '#shared/models/kb-content.ts';
import type { logged } from './changes.ts';
import { times } from './stage.ts';

/** Entries of the changes log. */
export type Log = Awaited<ReturnType<typeof logged>>;

/** New contents of a project, which tell nothing; their ids. */
export const silentContents = async (id_project: string, count: number, name = 'silent'): Promise<string[]> => {
  const made = times(count, (at) => ({
    ...{ id_project, namespace: id_project, type: 'text', source: `${name}-${at}`, name, content: '', status: 300 },
  }));
  const stored = await KbContent.insertMany(made, { ordered: false });
  return stored.map(({ _id }) => String(_id));
};

/** Has MongoDB itself store many contents that tell nothing, at its own speed. */
export const silentFlood = async (id_project: string, count: number): Promise<void> => {
  const [seed] = await silentContents(id_project, 1, 'seed');
  const { _id: _, ...one } = (await KbContent.findOne({ id_project, _id: seed }).lean()) as { _id: unknown };
  await KbContent.aggregate([
    { $match: { id_project } },
    { $project: { at: { $range: [0, count] }, _id: 0 } },
    { $unwind: '$at' },
    { $replaceWith: { $mergeObjects: [{ $literal: one }, { source: { $concat: ['flood-', { $toString: '$at' }] } }] } },
    { $merge: { into: 'kb_contents', whenMatched: 'fail' } },
  ]);
};

/** How often each record told an event of that name. */
export const timesTold = (log: Log, event: string): Record<string, number> => {
  const records = log.filter((entry) => entry.event === event).map(({ record }) => String(record));
  return Object.fromEntries([...Map.groupBy(records, String)].map(([record, all]) => [record, all.length]));
};

/** Every record's events come in the order of its writes, none twice, and each with the record in it. */
export const expectInOrder = (log: Log): void => {
  expect(log.map(({ position }) => position)).to.deep.equal(log.map(({ position }) => position).toSorted());
  expect(new Set(log.map(({ _id }) => _id)).size).to.equal(log.length);
  for (const [record, entries] of Map.groupBy(log, (entry) => entry.record)) {
    const revisions = entries.map(({ revision }) => revision ?? -1);
    expect(revisions, `revisions of ${record}`).to.deep.equal(revisions.toSorted((a, b) => a - b));
    for (const { payload } of entries) expect(payload, String(record)).to.be.an('object').and.not.be.empty;
  }
};
