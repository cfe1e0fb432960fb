/** What a project of a fleet knows, on every level it is kept. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { expect } from 'chai';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent, STATUS } from '#shared/models/kb-content.ts';
import type { Fleet } from './fleet.ts';

const idOf = (content: string, attempt: string, index: number): string =>
  createHash('sha256').update(`${content}:${attempt}:${index}`).digest('hex').slice(0, 40);

/** The ids of the passages that the project's indexed contents name; sorted. */
export const expectedPassages = async (id_project: string): Promise<string[]> => {
  const contents = await KbContent.find({ id_project, status: STATUS.indexed }, { current: 1, chunks: 1 }).lean();
  const ids = contents.flatMap(({ _id, current, chunks }) =>
    Array.from({ length: chunks }, (_, index) => idOf(String(_id), current ?? '', index)),
  );
  return ids.toSorted();
};

/** The ids in each table of the project in the fleet's store; sorted, repeats left out. */
export const tables = async ({ dataDir }: Fleet, id_project: string): Promise<Record<string, string[]>> => {
  const store = await connect(join(dataDir, 'lancedb', id_project));
  const found: Record<string, string[]> = {};
  for (const name of await store.tableNames()) {
    const table = await store.openTable(name);
    const rows = await table.query().select(['id']).toArray();
    found[name] = [...new Set(rows.map(({ id }) => id as string))].toSorted();
    table.close();
  }
  store.close();
  return found;
};

const storedPassages = async (id_project: string): Promise<string[]> => {
  const stored = await KbChunk.find({ id_project }, { _id: 1 }).lean();
  return stored.map(({ _id }) => _id).toSorted();
};

/** Whether nothing is left to be cleaned up in the project. */
export const isTidy = async (id_project: string): Promise<boolean> =>
  !(await KbContent.exists({ id_project, $or: [{ litter: true }, { status: { $lt: STATUS.indexed } }] }));

/** The passages expected, in MongoDB and in both tables of the store (words, vectors) are the same; how many. */
export const expectWhole = async (fleet: Fleet, id_project: string): Promise<number> => {
  const expected = await expectedPassages(id_project);
  expect(await storedPassages(id_project)).to.deep.equal(expected);
  const store = await tables(fleet, id_project);
  expect(Object.keys(store)).to.have.lengthOf(2);
  for (const [name, ids] of Object.entries(store)) expect(ids, name).to.deep.equal(expected);
  return expected.length;
};

/** How many contents of the project the text of each section's mark stands in; each should be 1. */
export const contentsWith = async (id_project: string, mark: string): Promise<number> =>
  (await KbChunk.distinct('content', { id_project, text: { $regex: `\\b${mark}\\b` } })).length;
