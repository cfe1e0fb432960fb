/** Reads the oplog: every write of a project in order, with the writes of a transaction together. */
import mongoose, { type mongo } from 'mongoose';

export type StoredRecord = Record<string, unknown>;

/** One write: the record before and after it; null where there is none. */
export interface Write {
  collection: string;
  before: StoredRecord | null;
  after: StoredRecord | null;
}

/** The writes of one transaction, or a single write outside a transaction. */
export type WriteCommit = Write[];

type FieldPath = (string | number)[];

const pathOf = (dotted: string): FieldPath => dotted.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));

const holderOf = (record: StoredRecord, path: FieldPath): StoredRecord => {
  let holder = record;
  for (const key of path.slice(0, -1)) holder = (holder[key] ??= {}) as StoredRecord;
  return holder;
};

const changeField = (
  record: StoredRecord,
  dotted: string,
  change: (holder: StoredRecord, key: string) => void,
): void => {
  const path = pathOf(dotted);
  change(holderOf(record, path), String(path.at(-1)));
};

const applyUpdate = (
  before: StoredRecord,
  { updateDescription: update }: mongo.ChangeStreamUpdateDocument,
): StoredRecord => {
  const after = structuredClone(before);
  const { updatedFields = {}, removedFields = [], truncatedArrays = [] } = update;
  for (const { field, newSize } of truncatedArrays)
    changeField(after, field, (holder, key) => void (holder[key] as unknown[]).splice(newSize));
  for (const [field, value] of Object.entries(updatedFields))
    changeField(after, field, (holder, key) => void (holder[key] = structuredClone(value)));
  for (const field of removedFields) changeField(after, field, (holder, key) => void delete holder[key]);
  return after;
};

interface KeyedChange {
  ns: { coll: string };
  documentKey: { _id: unknown };
}

const recordAfter = (change: mongo.ChangeStreamDocument, before: StoredRecord | null): StoredRecord | null => {
  if (change.operationType === 'insert' || change.operationType === 'replace') return toPlain(change.fullDocument);
  if (change.operationType === 'update') return before && applyUpdate(before, toPlain(change));
  return null;
};

/** Converts ids and dates to strings, so that records can be compared and copied. */
const toPlain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const projectOf = (collection: string, record: StoredRecord): string =>
  String(collection === 'projects' ? record._id : record.id_project);

/** Called with each commit of a project. */
type CommitListener = (commit: WriteCommit) => void;

/** Follows the writes to these collections. A project that is to be followed must be created after this call. */
export const followWrites = async (collections: string[]) => {
  const stream = mongoose.connection.watch([{ $match: { 'ns.coll': { $in: collections } } }]);
  const records = new Map<string, StoredRecord>();
  const listeners = new Map<string, CommitListener>();
  let open: { name: string; project: string; commit: WriteCommit } | undefined;

  const flush = (): void => {
    if (open) listeners.get(open.project)?.(open.commit);
    open = undefined;
  };
  const handleChange = (change: mongo.ChangeStreamDocument): void => {
    const { ns, documentKey } = change as unknown as KeyedChange;
    const key = `${ns.coll} ${String(documentKey._id)}`;
    const before = records.get(key) ?? null;
    const after = recordAfter(change, before);
    if (after) records.set(key, after);
    else records.delete(key);
    const owner = after ?? before;
    if (!owner) return;
    const { txnNumber, lsid } = change as { txnNumber?: unknown; lsid?: { id: unknown } };
    const name = lsid ? JSON.stringify([lsid.id, txnNumber]) : '';
    if (!name || open?.name !== name) flush();
    open ??= { name, project: projectOf(ns.coll, owner), commit: [] };
    open.commit.push({ collection: ns.coll, before, after });
    if (!name) flush();
  };
  stream.on('change', handleChange);
  await new Promise((ready) => stream.once('init', ready).once('resumeTokenChanged', ready));
  return {
    /** Calls `listener` with the records that the project has now, as one commit, and then with each new commit. */
    listen: (project: string, listener: CommitListener): void => {
      const known = [...records].map(([key, record]) => ({ collection: key.split(' ')[0] as string, record }));
      const own = known.filter(({ collection, record }) => projectOf(collection, record) === project);
      listener(own.map(({ collection, record }) => ({ collection, before: null, after: record })));
      listeners.set(project, listener);
    },
    stopListening: (project: string) => void listeners.delete(project),
    close: () => stream.close(),
  };
};

/** A log that follows the writes to some collections until it is closed. */
export type WriteLog = Awaited<ReturnType<typeof followWrites>>;
