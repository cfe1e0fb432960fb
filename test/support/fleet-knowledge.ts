/** The chunks of a project in MongoDB and in the LanceDB folder of a fleet (the processes that a test has started). */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connect } from '@lancedb/lancedb';
import { expect } from 'chai';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import type { Fleet } from './fleet.ts';

const chunkId = (content: string, attempt: string, index: number): string =>
  createHash('sha256').update(`${content}:${attempt}:${index}`).digest('hex').slice(0, 40);

/** The ids that the chunks of the project's indexed contents must have; sorted. */
export const expectedChunkIds = async (id_project: string): Promise<string[]> => {
  const contents = await KbContent.find(
    { id_project, status: CONTENT_STATUS.indexed },
    { publishedAttemptId: 1, chunks: 1 },
  ).lean();
  const ids = contents.flatMap(({ _id, publishedAttemptId, chunks }) =>
    Array.from({ length: chunks }, (_, index) => chunkId(String(_id), publishedAttemptId ?? '', index)),
  );
  return ids.toSorted();
};

/** The chunk ids in each LanceDB table of the project; sorted, without duplicates. */
export const indexTables = async ({ dataDir }: Fleet, id_project: string): Promise<Record<string, string[]>> => {
  const store = await connect(join(dataDir, 'lancedb', id_project));
  const idsByTable: Record<string, string[]> = {};
  for (const name of await store.tableNames()) {
    const table = await store.openTable(name);
    const rows = await table.query().select(['id']).toArray();
    idsByTable[name] = [...new Set(rows.map(({ id }) => id as string))].toSorted();
    table.close();
  }
  store.close();
  return idsByTable;
};

const isLocked = (file: string): boolean => {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
};

/** Whether a process of the fleet holds a lock on the LanceDB tables. */
export const isIndexLocked = async ({ dataDir }: Fleet): Promise<boolean> => {
  const folder = join(dataDir, 'locks');
  const names = await readdir(folder).catch((): string[] => []); // the first lock creates the folder
  return names.some((name) => name.endsWith('.lock') && isLocked(join(folder, name)));
};

const storedChunkIds = async (id_project: string): Promise<string[]> => {
  const stored = await KbChunk.find({ id_project }, { _id: 1 }).lean();
  return stored.map(({ _id }) => _id).toSorted();
};

/** Whether all contents of the project are indexed or have failed, and none has chunks of outdated attempts. */
export const isSettled = async (id_project: string): Promise<boolean> =>
  !(await KbContent.exists({
    id_project,
    $or: [{ hasStaleChunks: true }, { status: { $lt: CONTENT_STATUS.indexed } }],
  }));

/** Expects the same chunks in MongoDB and in both LanceDB tables (words, vectors); returns their number. */
export const expectChunksConsistent = async (fleet: Fleet, id_project: string): Promise<number> => {
  const expected = await expectedChunkIds(id_project);
  expect(await storedChunkIds(id_project)).to.deep.equal(expected);
  const store = await indexTables(fleet, id_project);
  expect(Object.keys(store)).to.have.lengthOf(2);
  for (const [name, ids] of Object.entries(store)) expect(ids, name).to.deep.equal(expected);
  return expected.length;
};

/** The number of contents that contain the word `marker`. */
export const countContentsWith = async (id_project: string, marker: string): Promise<number> =>
  (await KbChunk.distinct('content', { id_project, text: { $regex: `\\b${marker}\\b` } })).length;
