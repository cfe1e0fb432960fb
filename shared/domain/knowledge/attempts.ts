/**
 * The fence around indexing a content. Taking one starts an attempt with an id of its own and a lease; everything
 * the attempt writes carries that id, and only the attempt the content still names may switch to its result.
 * So a worker that was killed, paused or overtaken can leave rows behind, but nobody ever sees them.
 */
import { ulid } from 'ulid';
import { config } from '../../config.ts';
import { emits } from '../../emits.ts';
import { KbContent, STATUS } from '../../models/kb-content.ts';

const LEASE_MS = config.LEASE_SECONDS * 1000;
const RUNNING = { $in: [STATUS.fetching, STATUS.indexing] as number[] };

/**
 * Taking and marking need not reach the disk before the work goes on: whatever the attempt stores later does, and a
 * log that holds the later write holds these too. Lost alone, the content is simply taken again.
 */
const LIGHT = { writeConcern: { w: 1, j: false } } as const;

const lease = () => new Date(Date.now() + LEASE_MS);
const inHand = new Map<string, { id_project: string }>();

/** A content in the hands of one attempt. */
export interface Attempt {
  id: string;
  content: string;
  id_project: string;
  namespace: string;
  type: string;
  source: string;
  name: string;
  text: string;
  failures: number;
  /** Attempts before this one that may have left passages; `current` is one of them. */
  earlier: string[];
  /** What the last result was made of. */
  current?: string;
  hash?: string;
  etag?: string;
  lastModified?: string;
}

const FIELDS = {
  namespace: 1,
  type: 1,
  source: 1,
  name: 1,
  content: 1,
  failures: 1,
  current: 1,
  hash: 1,
  etag: 1,
  last_modified: 1,
  attempts: 1,
} as const;

const mine = ({ id, content, id_project }: Attempt) => ({ _id: content, id_project, attempt: id });

/** Take the project's content that waits longest: -1 → 100. Null when none is due. */
export const take = async (id_project: string): Promise<Attempt | null> => {
  const id = ulid();
  const taken = await KbContent.findOneAndUpdate(
    { id_project, status: STATUS.queued, due: { $lte: new Date() } },
    {
      $set: { status: STATUS.fetching, attempt: id, lease: lease() },
      $push: { attempts: id },
      $unset: { waiting: 1 },
    },
    { sort: { due: 1 }, projection: FIELDS, returnDocument: 'after', ...LIGHT },
  ).lean();
  if (!taken) return null;
  inHand.set(id, { id_project });
  const { _id, namespace, type, source, name, content, failures, current, hash, etag, last_modified, attempts } = taken;
  return {
    id,
    content: String(_id),
    id_project,
    namespace,
    type,
    source,
    name,
    text: content,
    failures,
    earlier: attempts.filter((each) => each !== id),
    current: current ?? undefined,
    hash: hash ?? undefined,
    etag: etag ?? undefined,
    lastModified: last_modified ?? undefined,
  };
};

/** The page is here: 100 → 200. False when the content is no longer this attempt's. */
export const startIndexing = async (attempt: Attempt): Promise<boolean> => {
  const { matchedCount } = await KbContent.updateOne(
    { ...mine(attempt), status: RUNNING },
    { $set: { status: STATUS.indexing } },
    LIGHT,
  );
  return matchedCount === 1;
};

/** What an attempt found out. */
export interface Result {
  chunks: number;
  hash: string;
  embedded_by: string;
  etag?: string;
  last_modified?: string;
}

const DONE = { error: 1, attempt: 1, lease: 1 } as const;

/** Switch to the chunks of this attempt: → 300. False when it was overtaken; its chunks are then nobody's. */
export const finish = async (attempt: Attempt, result: Result): Promise<boolean> => {
  const { etag, last_modified, ...known } = result;
  const validators = { etag: etag ?? '', last_modified: last_modified ?? '' };
  const replaced = attempt.earlier.length ? { litter: true } : {};
  const changes = {
    ...known,
    ...validators,
    ...replaced,
    status: STATUS.indexed,
    current: attempt.id,
    failures: 0,
    last_refresh: new Date(),
  };
  const { matchedCount } = await KbContent.updateOne(
    { ...mine(attempt), status: RUNNING },
    { $set: changes, $unset: DONE },
    emits('kb.content.indexed'),
  );
  return matchedCount === 1;
};

/** Nothing changed since the last result: → 300 with the chunks there are. */
export const finishUnchanged = async (
  attempt: Attempt,
  validators: { etag?: string; last_modified?: string } = {},
): Promise<void> => {
  const left = attempt.earlier.some((each) => each !== attempt.current) ? { litter: true } : {};
  await KbContent.updateOne(
    { ...mine(attempt), status: RUNNING },
    {
      $set: { ...validators, ...left, status: STATUS.indexed, failures: 0, last_refresh: new Date() },
      $unset: DONE,
      $pull: { attempts: attempt.id },
    },
    emits('kb.content.indexed'),
  );
};

/** Give it back half done, for this worker has to leave: → -1. */
export const breakOff = async (attempt: Attempt): Promise<void> => {
  const back = {
    $set: { status: STATUS.queued, due: new Date(), litter: true },
    $unset: { attempt: 1, lease: 1 },
  };
  await KbContent.updateOne(mine(attempt), back);
};

/** Why an attempt came to nothing. */
export interface Failure {
  code: string;
  message: string;
  hint?: string;
}

const waitingFor = ({ code, message, hint }: Failure, next_attempt_at: Date) => ({
  waiting: { code, message, hint, next_attempt_at },
});

/** Give it back before anything was written, to be taken again from `due` on: → -1. A turn that comes soon is not told of. */
export const putBack = async (attempt: Attempt, why: Failure, due: Date): Promise<void> => {
  const back = {
    $set: { status: STATUS.queued, due, ...waitingFor(why, due) },
    $unset: { attempt: 1, lease: 1 },
    $pull: { attempts: attempt.id },
  };
  await KbContent.updateOne(mine(attempt), back, why.code === 'HOST_PAUSED' ? emits('kb.content.waiting') : {});
};

/** Record a failure: → 400, or → -1 when it is to be tried again at `retryAt`. */
export const fail = async (attempt: Attempt, failure: Failure, retryAt?: Date): Promise<void> => {
  const { code, message, hint } = failure;
  const failures = attempt.failures + 1;
  const error = { code, message, hint, attempt: failures, at: new Date() };
  const next = retryAt
    ? { status: STATUS.queued, due: retryAt, ...waitingFor(failure, retryAt) }
    : { status: STATUS.failed };
  const change = {
    $set: { ...next, error, failures, litter: true, last_refresh: new Date() },
    $unset: { attempt: 1, lease: 1 },
  };
  await KbContent.updateOne(mine(attempt), change, emits(retryAt ? 'kb.content.waiting' : 'kb.content.failed'));
};

/** The worker no longer works on it. */
export const letGo = ({ id }: Attempt): void => {
  inHand.delete(id);
};

/** Prolong the leases of everything this process works on; called well before they end. */
export const renew = async (): Promise<void> => {
  const projects = [...new Set([...inHand.values()].map(({ id_project }) => id_project))];
  if (!projects.length) return;
  const held = { id_project: { $in: projects }, attempt: { $in: [...inHand.keys()] }, status: RUNNING };
  await KbContent.updateMany(held, { $set: { lease: lease() } });
};

/** Take back what silent workers hold: 100, 200 → -1. The number taken back. */
export const takeOver = async (): Promise<number> => {
  const silent = { status: RUNNING, lease: { $lt: new Date() } };
  const change = { $set: { status: STATUS.queued, litter: true, due: new Date() }, $unset: { attempt: 1, lease: 1 } };
  return (await KbContent.updateMany(silent, change).setOptions({ anyProject: true })).modifiedCount;
};

/** Milliseconds until the project's next content may be taken; null when none waits. */
export const nextDue = async (id_project: string): Promise<number | null> => {
  const next = await KbContent.findOne({ id_project, status: STATUS.queued }, { due: 1, _id: 0 })
    .sort({ due: 1 })
    .lean();
  return next ? Math.max(0, next.due.getTime() - Date.now()) : null;
};

/** How many contents of the project can be taken now, counted no further than `most`. */
export const waiting = (id_project: string, most: number): Promise<number> =>
  KbContent.countDocuments({ id_project, status: STATUS.queued, due: { $lte: new Date() } }).limit(most);

/** Every project that has a content to be taken. */
export const projectsWaiting = (): Promise<string[]> =>
  KbContent.distinct('id_project', { status: STATUS.queued, due: { $lte: new Date() } }).setOptions({
    anyProject: true,
  });
