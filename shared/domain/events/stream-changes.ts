/** Streams a project's changes as they are committed: from the buffer of the project (its feed) or from the log. */
import { type ChangesPage, GapError, headCursor, readChanges, readRange, type ChangesScope } from './read-changes.ts';
import { isTooOld, laterCursor, OLDEST_CURSOR } from './cursors.ts';
import { type ChangeBatch, type FeedBuffer, type SerializedChange, serializeChange } from './feed-buffer.ts';
import { joinFeed, leaveFeed } from './feed-registry.ts';

const MAX_CHANGES_PER_BATCH = 100;
const FIRST_BATCH_SIZE = 16;
/**
 * Maximum number of characters buffered for one client, unless a single change is larger. Limits the memory used for
 * many slow clients.
 */
const MAX_BUFFERED_CHARACTERS = 32_768;

/** The state of one client's stream. */
interface FeedReader {
  feed: FeedBuffer;
  signal: AbortSignal;
  /** Number of changes per read, estimated from the size of the previous changes. */
  batchSize: number;
}

/**
 * Reads the log, but not past `feed.last`. Up to that position, the feed knows whether changes may be missing from the
 * log: `feed.gap` is the last position before which some may be.
 */
const readLog = async (scope: ChangesScope, after: string, { feed, batchSize }: FeedReader): Promise<ChangeBatch> => {
  const upTo = feed.last;
  const changes = await readRange(scope, { after, upTo, limit: batchSize });
  const last = changes.length < batchSize ? upTo : (changes.at(-1)?.cursor ?? upTo);
  return { changes: changes.map(serializeChange), last };
};

/** Reads the changes between a position and the end of the feed; the batch is empty if there are none. */
const readMissed = async (scope: ChangesScope, after: string, reader: FeedReader): Promise<ChangeBatch> => {
  const { feed } = reader;
  let last = after;
  while (last < feed.last) {
    const batch = feed.bufferedAfter(last, scope.visitor) ?? (await readLog(scope, last, reader));
    if (batch.changes.length) return batch;
    last = laterCursor(last, batch.last);
  }
  return { changes: [], last };
};

const readNext = async (scope: ChangesScope, after: string, reader: FeedReader): Promise<ChangeBatch> => {
  const { feed, signal } = reader;
  const batch = await readMissed(scope, after, reader);
  return batch.changes.length || batch.last < feed.last ? batch : feed.nextBatch(signal, scope.visitor);
};

const batchSizeFor = (changes: SerializedChange[]): number => {
  const size = changes.reduce((sum, { text }) => sum + text.length, 0) / changes.length;
  return Math.max(1, Math.min(MAX_CHANGES_PER_BATCH, Math.floor(MAX_BUFFERED_CHARACTERS / size)));
};

/** Truncates a batch to the size that may be buffered for one client. The rest is read again later. */
const limitBatch = ({ changes, last }: ChangeBatch): ChangeBatch => {
  let size = 0;
  const end = changes.findIndex(({ text }, index) => {
    size += text.length;
    return index > 0 && size > MAX_BUFFERED_CHARACTERS;
  });
  if (end === -1) return { changes, last };
  const buffered = changes.slice(0, end);
  return { changes: buffered, last: buffered.at(-1)?.cursor ?? last };
};

/**
 * Yields the changes after a cursor, each once and in order. The first batch is yielded immediately: it holds changes
 * that the client has missed, or is empty if there are none. Batches are limited (`FIRST_BATCH_SIZE`,
 * `MAX_CHANGES_PER_BATCH`, `MAX_BUFFERED_CHARACTERS`), so the missed changes may take several. Later batches follow as
 * changes are committed, with an empty batch every 15 s (the heartbeat of the feed). For a slow client, changes are
 * read from the log again, so that nothing accumulates in memory. The stream ends on abort and when the process stops.
 * Throws `GapError` as `readChanges` does.
 */
export async function* streamChanges(
  scope: ChangesScope,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<SerializedChange[]> {
  if (isTooOld(after)) throw new GapError(await headCursor(scope));
  const feed = await joinFeed(scope.project);
  const reader = { feed, signal, batchSize: FIRST_BATCH_SIZE };
  let last = after === OLDEST_CURSOR ? laterCursor(after, feed.gap) : after;
  try {
    let batch = limitBatch(await readMissed(scope, last, reader));
    for (;;) {
      if (feed.gap > last) throw new GapError(feed.gap);
      yield batch.changes.filter(({ cursor }) => cursor > last);
      last = laterCursor(last, batch.last);
      if (signal.aborted || feed.isClosed) return;
      if (batch.changes.length) reader.batchSize = batchSizeFor(batch.changes);
      batch = limitBatch(await readNext(scope, last, reader));
    }
  } finally {
    leaveFeed(feed);
  }
}

/**
 * Options of a long poll. Without `after`, the page has no changes, and `next` is the cursor at the end of the log.
 * `wait` is in seconds.
 */
export interface LongPollOptions {
  after?: string;
  limit: number;
  wait: number;
}

/** Returns a page of changes; if there are none, waits up to `wait` seconds for the first one. */
export const longPoll = async (
  scope: ChangesScope,
  { after, limit, wait }: LongPollOptions,
  signal: AbortSignal,
): Promise<ChangesPage> => {
  if (after === undefined) return { changes: [], next: await headCursor(scope) };
  const found = await readChanges(scope, { after, limit });
  if (found.changes.length || !wait) return found;
  const stopSignal = AbortSignal.any([signal, AbortSignal.timeout(wait * 1000)]);
  for await (const batch of streamChanges(scope, found.next, stopSignal)) if (batch.length) break;
  return readChanges(scope, { after: found.next, limit });
};
