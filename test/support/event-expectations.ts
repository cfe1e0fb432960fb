/** Creates records without events, and checks the changes log. */
import { expect } from 'chai';
import { KbContent } from '#shared/models/kb-content.ts';
import type { readLog } from './changes-log.ts';
import { times } from './fleet-fixture.ts';

/** Entries of the changes log. */
export type ChangesLog = Awaited<ReturnType<typeof readLog>>;

/** Inserts contents into a project without emitting events; returns their ids. */
export const storeContentsWithoutEvents = async (
  id_project: string,
  count: number,
  name = 'silent',
): Promise<string[]> => {
  const contents = times(count, (index) => ({
    ...{ id_project, namespace: id_project, type: 'text', source: `${name}-${index}`, name, content: '', status: 300 },
  }));
  const stored = await KbContent.insertMany(contents, { ordered: false });
  return stored.map(({ _id }) => String(_id));
};

/** Inserts many contents without emitting events. MongoDB copies one content, which is faster than sending each. */
export const storeManyWithoutEvents = async (id_project: string, count: number): Promise<void> => {
  const [seed] = await storeContentsWithoutEvents(id_project, 1, 'seed');
  const { _id: _, ...one } = (await KbContent.findOne({ id_project, _id: seed }).lean()) as { _id: unknown };
  await KbContent.aggregate([
    { $match: { id_project } },
    { $project: { number: { $range: [0, count] }, _id: 0 } },
    { $unwind: '$number' },
    {
      $replaceWith: {
        $mergeObjects: [{ $literal: one }, { source: { $concat: ['flood-', { $toString: '$number' }] } }],
      },
    },
    { $merge: { into: 'kb_contents', whenMatched: 'fail' } },
  ]);
};

/** The number of events with this name, by record. */
export const countEvents = (log: ChangesLog, event: string): Record<string, number> => {
  const records = log.filter((entry) => entry.event === event).map(({ record }) => String(record));
  return Object.fromEntries([...Map.groupBy(records, String)].map(([record, all]) => [record, all.length]));
};

/** Expects each record's events in the order of its writes, without duplicates, and each with a payload. */
export const expectOrderedWithoutDuplicates = (log: ChangesLog): void => {
  expect(log.map(({ position }) => position)).to.deep.equal(log.map(({ position }) => position).toSorted());
  expect(new Set(log.map(({ _id }) => _id)).size).to.equal(log.length);
  for (const [record, entries] of Map.groupBy(log, (entry) => entry.record)) {
    const revisions = entries.map(({ revision }) => revision ?? -1);
    expect(revisions, `revisions of ${record}`).to.deep.equal(revisions.toSorted((a, b) => a - b));
    for (const { payload } of entries) expect(payload, String(record)).to.be.an('object').and.not.be.empty;
  }
};
