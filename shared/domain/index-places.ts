/**
 * Which chunk index holds a namespace. An index has an identity that goes with its data: when the folder is deleted,
 * or another store is set up, the identity is another one, and every namespace that names the old one is filled anew.
 */
import { ulid } from 'ulid';
import { KbChunk } from '../models/kb-chunk.ts';
import { KbNamespace } from '../models/kb-namespace.ts';
import { chunkIndex } from '../vectors/index.ts';
import { addToIndex, lost as lostAt, rowsOf, spaceOf } from './chunks.ts';

interface Place {
  id_project: string;
  id: string;
}

/** The identity of the index in use. */
export const place = (): Promise<string> => chunkIndex().identity();

/** The namespaces whose index is not the one in use. */
export const displaced = async (): Promise<Place[]> =>
  KbNamespace.find({ index: { $ne: await place() } }, { id: 1, id_project: 1, _id: 0 }, { anyProject: true }).lean();

/** Whether the namespace is indexed elsewhere than in the index in use. */
export const isDisplaced = async ({ id_project, id }: Place): Promise<boolean> =>
  Boolean(await KbNamespace.exists({ id_project, id, index: { $ne: await place() } }));

/** Forget where a namespace was, so that the next sweep fills it anew. */
export const lost = ({ id_project, id }: Place): Promise<void> => lostAt({ id_project, namespace: id });

/**
 * Fill the index of a namespace from MongoDB. What is indexed meanwhile is there too: it is in MongoDB before it
 * is in the index, and the index is emptied before MongoDB is read. An index that is lost again meanwhile stays
 * marked so. The number of passages written.
 */
export const rebuild = async ({ id_project, id }: Place): Promise<number> => {
  const [now, mark] = [await place(), `rebuilding ${ulid()}`];
  await KbNamespace.updateOne({ id_project, id }, { $set: { index: mark } });
  await chunkIndex().drop(spaceOf({ id_project, namespace: id }));
  let written = 0;
  for await (const rows of rowsOf(id_project, id)) {
    await addToIndex({ id_project, namespace: id }, rows);
    written += rows.length;
  }
  await KbNamespace.updateOne({ id_project, id, index: mark }, { $set: { index: now } });
  return written;
};

/** Every namespace that has passages, for a rebuild by hand. */
export const inhabited = async (): Promise<Place[]> => {
  const groups = await KbChunk.aggregate<{ _id: { id_project: string; id: string } }>([
    { $group: { _id: { id_project: '$id_project', id: '$namespace' } } },
  ]).option({ anyProject: true });
  return groups.map(({ _id }) => _id);
};
