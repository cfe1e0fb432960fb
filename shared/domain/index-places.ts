/**
 * Which chunk index holds a namespace. An index has an identity that goes with its data: when the folder is deleted,
 * or another store is set up, the identity is another one, and every namespace that names the old one is filled anew.
 */
import { KbChunk } from '../models/kb-chunk.ts';
import { KbNamespace } from '../models/kb-namespace.ts';
import { chunkIndex } from '../vectors/index.ts';
import { rowsOf, spaceOf } from './chunks.ts';

interface Place {
  id_project: string;
  id: string;
}

/** The identity of the index in use. */
export const place = (): Promise<string> => chunkIndex().identity();

/** The namespaces whose index is not the one in use. */
export const displaced = async (): Promise<Place[]> =>
  KbNamespace.find({ index: { $ne: await place() } }, { id: 1, id_project: 1, _id: 0 }, { anyProject: true }).lean();

/** Forget where a namespace was, so that the next sweep fills it anew. */
export const lost = async ({ id_project, id }: Place): Promise<void> => {
  await KbNamespace.updateOne({ id_project, id }, { $set: { index: '' } });
};

/**
 * Fill the index of a namespace from MongoDB. What is indexed meanwhile is there too: it is in MongoDB before it
 * is in the index, and the index is emptied before MongoDB is read. The number of passages written.
 */
export const rebuild = async ({ id_project, id }: Place): Promise<number> => {
  const space = spaceOf({ id_project, namespace: id });
  const now = await place();
  await chunkIndex().drop(space);
  let written = 0;
  for await (const rows of rowsOf(id_project, id)) {
    await chunkIndex().add(space, rows);
    written += rows.length;
  }
  await KbNamespace.updateOne({ id_project, id }, { $set: { index: now } });
  return written;
};

/** Every namespace that has passages, for a rebuild by hand. */
export const inhabited = async (): Promise<Place[]> => {
  const groups = await KbChunk.aggregate<{ _id: { id_project: string; id: string } }>([
    { $group: { _id: { id_project: '$id_project', id: '$namespace' } } },
  ]).option({ anyProject: true } as never);
  return groups.map(({ _id }) => _id);
};
