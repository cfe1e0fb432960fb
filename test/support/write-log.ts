/** What the database's own log says was written: every write of a project in its order, those of a transaction together. */
import mongoose, { type mongo } from 'mongoose';

/** A record as it is stored. */
export type Stored = Record<string, unknown>;

/** One write: the record before and after it; null where there is none. */
export interface Write {
  collection: string;
  before: Stored | null;
  after: Stored | null;
}

/** Writes that came about at once. */
export type Commit = Write[];

type Path = (string | number)[];

const pathOf = (dotted: string): Path => dotted.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));

const holderOf = (record: Stored, path: Path): Stored => {
  let holder = record;
  for (const key of path.slice(0, -1)) holder = (holder[key] ??= {}) as Stored;
  return holder;
};

const put = (record: Stored, dotted: string, change: (holder: Stored, key: string) => void): void => {
  const path = pathOf(dotted);
  change(holderOf(record, path), String(path.at(-1)));
};

const applied = (before: Stored, { updateDescription: told }: mongo.ChangeStreamUpdateDocument): Stored => {
  const after = structuredClone(before);
  const { updatedFields = {}, removedFields = [], truncatedArrays = [] } = told;
  for (const { field, newSize } of truncatedArrays)
    put(after, field, (holder, key) => void (holder[key] as unknown[]).splice(newSize));
  for (const [field, value] of Object.entries(updatedFields))
    put(after, field, (holder, key) => void (holder[key] = structuredClone(value)));
  for (const field of removedFields) put(after, field, (holder, key) => void delete holder[key]);
  return after;
};

interface Keyed {
  ns: { coll: string };
  documentKey: { _id: unknown };
}

const after = (change: mongo.ChangeStreamDocument, before: Stored | null): Stored | null => {
  if (change.operationType === 'insert' || change.operationType === 'replace') return plain(change.fullDocument);
  if (change.operationType === 'update') return before && applied(before, plain(change));
  return null;
};

/** Ids as texts, so that records can be compared and copied. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const ownerOf = (collection: string, record: Stored): string =>
  String(collection === 'projects' ? record._id : record.id_project);

/** Who is told of the commits of a project. */
type Listener = (commit: Commit) => void;

/** Follow the writes of these collections; their projects must be made afterwards. */
export const followWrites = async (collections: string[]) => {
  const stream = mongoose.connection.watch([{ $match: { 'ns.coll': { $in: collections } } }]);
  const records = new Map<string, Stored>();
  const listeners = new Map<string, Listener>();
  let open: { name: string; project: string; commit: Commit } | undefined;

  const flush = (): void => {
    if (open) listeners.get(open.project)?.(open.commit);
    open = undefined;
  };
  const hear = (change: mongo.ChangeStreamDocument): void => {
    const { ns, documentKey } = change as unknown as Keyed;
    const key = `${ns.coll} ${String(documentKey._id)}`;
    const before = records.get(key) ?? null;
    const now = after(change, before);
    if (now) records.set(key, now);
    else records.delete(key);
    const owner = now ?? before;
    if (!owner) return;
    const { txnNumber, lsid } = change as { txnNumber?: unknown; lsid?: { id: unknown } };
    const name = lsid ? JSON.stringify([lsid.id, txnNumber]) : '';
    if (!name || open?.name !== name) flush();
    open ??= { name, project: ownerOf(ns.coll, owner), commit: [] };
    open.commit.push({ collection: ns.coll, before, after: now });
    if (!name) flush();
  };
  stream.on('change', hear);
  await new Promise((ready) => stream.once('init', ready).once('resumeTokenChanged', ready));
  return {
    /** Begins with what the project has already. */
    listen: (project: string, listener: Listener): void => {
      const known = [...records].map(([key, record]) => ({ collection: key.split(' ')[0] as string, record }));
      const own = known.filter(({ collection, record }) => ownerOf(collection, record) === project);
      listener(own.map(({ collection, record }) => ({ collection, before: null, after: record })));
      listeners.set(project, listener);
    },
    forget: (project: string) => void listeners.delete(project),
    close: () => stream.close(),
  };
};

/** A log that is followed. */
export type WriteLog = Awaited<ReturnType<typeof followWrites>>;
