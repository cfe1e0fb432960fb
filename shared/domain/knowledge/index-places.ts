/**
 * Which chunk index holds a namespace. An index has an identity that goes with its data: when the folder is deleted,
 * or another store is set up, the identity is another one, and every namespace that names the old one is filled anew.
 */
import { decodeTime, ulid } from 'ulid';
import { config } from '../../config.ts';
import { KbChunk } from '../../models/kb-chunk.ts';
import { KbNamespace } from '../../models/kb-namespace.ts';
import { chunkIndex } from '../../vectors/index.ts';
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

const REBUILDING = 'rebuilding ';
const LEASE_MS = config.LEASE_SECONDS * 1000;

const newMark = (): string => REBUILDING + ulid();

const isUnderWay = (index: string): boolean =>
  index.startsWith(REBUILDING) && Date.now() - decodeTime(index.slice(REBUILDING.length)) < LEASE_MS;

/**
 * Mark a namespace as being rebuilt, in place of the index it names; null while somebody else is at it. The mark tells
 * its age: `renew` makes it young, false when it is another's or the index was lost again; `end` names the index filled.
 */
const claim = async ({ id_project, id }: Place) => {
  const namespace = await KbNamespace.findOne({ id_project, id }, { index: 1 }).lean();
  let mark = namespace?.index ?? '';
  const pass = async (index: string): Promise<boolean> => {
    const { matchedCount } = await KbNamespace.updateOne({ id_project, id, index: mark }, { $set: { index } });
    mark = index;
    return matchedCount === 1;
  };
  if (isUnderWay(mark) || !(await pass(newMark()))) return null;
  return { renew: () => pass(newMark()), end: pass };
};

/**
 * Fill the index of a namespace from MongoDB, unless somebody does. What is indexed meanwhile is there too: it is in
 * MongoDB before it is in the index, and the index is emptied before MongoDB is read. The number of passages written.
 */
export const rebuild = async ({ id_project, id }: Place): Promise<number> => {
  const now = await place();
  const claimed = await claim({ id_project, id });
  if (!claimed) return 0;
  await chunkIndex().drop(spaceOf({ id_project, namespace: id }));
  // Whoever slept here so long that another took over may have dropped what that one wrote.
  if (!(await claimed.renew())) await lost({ id_project, id });
  let written = 0;
  for await (const rows of rowsOf(id_project, id)) {
    if (!(await claimed.renew())) return written;
    await addToIndex({ id_project, namespace: id }, rows);
    written += rows.length;
  }
  await claimed.end(now);
  return written;
};

/** Every namespace that has passages, for a rebuild by hand. */
export const inhabited = async (): Promise<Place[]> => {
  const groups = await KbChunk.aggregate<{ _id: { id_project: string; id: string } }>([
    { $group: { _id: { id_project: '$id_project', id: '$namespace' } } },
  ]).option({ anyProject: true });
  return groups.map(({ _id }) => _id);
};
