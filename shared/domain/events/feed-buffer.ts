/** Buffers the most recent changes of one project for all readers in this process. */
import { logger } from '../../logger.ts';
import { Change, GAP_PROJECT } from '../../models/change.ts';
import { type PublicChange, publicChange } from './read-changes.ts';

const CHANGES_PER_READ = 100;
/** Maximum number of changes buffered for readers that are briefly busy. Slower readers read the log instead. */
const MAX_BUFFERED = 256;
const MAX_BUFFERED_CHARACTERS = 1_000_000;
const HEARTBEAT_MS = 15_000;

/** The visitor whose changes a reader receives; undefined for a reader of the whole project. */
type VisitorFilter = string | undefined;

/** A change as sent to clients, serialized once for all readers. */
export interface SerializedChange {
  cursor: string;
  event: string;
  /** JSON of `{ cursor, id, event, createdAt, payload }`. */
  text: string;
}

interface BufferedChange {
  position: string;
  teamChange: SerializedChange;
  visitor?: string;
  visitorChange?: SerializedChange;
}

/** The next changes for a reader. After this batch, the reader has seen every change up to the position `last`. */
export interface ChangeBatch {
  changes: SerializedChange[];
  last: string;
}

type BatchResolver = (batch: ChangeBatch) => void;

const readLog = (project: string, after: string) =>
  Change.find({ id_project: { $in: [project, GAP_PROJECT] }, position: { $gt: after } })
    .sort({ position: 1 })
    .limit(CHANGES_PER_READ)
    .lean();

type LogEntry = Awaited<ReturnType<typeof readLog>>[number];

/** Serializes a change for sending. */
export const serializeChange = (change: PublicChange): SerializedChange => ({
  cursor: change.cursor,
  event: change.event,
  text: JSON.stringify(change),
});

const toBufferedChange = (stored: LogEntry): BufferedChange => {
  const { position, id_project: project, visitor, visitor_payload } = stored;
  const teamChange = serializeChange(publicChange(stored, { project }));
  if (!visitor || !visitor_payload) return { position, teamChange };
  return { position, teamChange, visitor, visitorChange: serializeChange(publicChange(stored, { project, visitor })) };
};

const sizeOf = ({ teamChange, visitorChange }: BufferedChange): number =>
  teamChange.text.length + (visitorChange?.text.length ?? 0);

const batchFor = (visitor: VisitorFilter, entries: BufferedChange[], last: string): ChangeBatch => ({
  changes: entries.flatMap((entry) => {
    if (visitor === undefined) return [entry.teamChange];
    return entry.visitor === visitor && entry.visitorChange ? [entry.visitorChange] : [];
  }),
  last,
});

/** The buffer of one project. `read()` queries the log once for all readers; queries never overlap. */
export class FeedBuffer {
  readonly project: string;
  readers = 0;
  isClosed = false;
  /** Whether the log may have changes that have not been read yet. */
  hasUnread = false;
  /** Every change up to this position has been read, or was in the log before the buffer started. */
  last = '';
  /** Position of the latest gap: a log entry reporting that changes before it may be missing. */
  gap = '';
  #start: Promise<void> | undefined;
  /** `#recent` holds every change after this position. */
  #bufferedFrom = '';
  #recent: BufferedChange[] = [];
  #chars = 0;
  #reading = true;
  readonly #waitingReaders = new Map<VisitorFilter, Set<BatchResolver>>();
  readonly #heartbeat = setInterval(() => this.#wakeAll(), HEARTBEAT_MS);

  constructor(project: string) {
    this.project = project;
  }

  /**
   * Starts the buffer at the end of the log. The first call reads that position; later calls wait for the first one.
   */
  ensureStarted(endOfLog: () => Promise<{ last: string; gap: string }>): Promise<void> {
    this.#start ??= endOfLog().then(({ last, gap }) => {
      this.last = last;
      this.gap = gap;
      this.#bufferedFrom = last;
      this.#reading = false;
      if (this.hasUnread) this.read();
    });
    return this.#start;
  }

  /** Reads new changes for the waiting readers. After a failure, the next poll (see feed-registry.ts) retries. */
  read(): void {
    this.hasUnread = true;
    if (this.#reading || this.isClosed) return;
    this.#reading = true;
    this.#readUnread()
      .catch((error: Error) => {
        this.hasUnread = true;
        logger.warn({ err: error.message }, 'reading the changes log for streams failed');
      })
      .finally(() => {
        this.#reading = false;
      });
  }

  async #readUnread(): Promise<void> {
    while (this.hasUnread && !this.isClosed) {
      this.hasUnread = false;
      const found = await readLog(this.project, this.last);
      if (found.length) this.#append(found);
      this.hasUnread ||= found.length === CHANGES_PER_READ;
    }
  }

  #append(found: LogEntry[]): void {
    const gap = found.findLast(({ id_project }) => id_project === GAP_PROJECT)?.position;
    const entries = found.filter(({ id_project }) => id_project !== GAP_PROJECT).map(toBufferedChange);
    this.last = found.at(-1)?.position ?? this.last;
    this.gap = gap ?? this.gap;
    for (const entry of entries) {
      this.#recent.push(entry);
      this.#chars += sizeOf(entry);
    }
    while (this.#recent.length > MAX_BUFFERED || this.#chars > MAX_BUFFERED_CHARACTERS) this.#dropOldest();
    const visitors = gap
      ? [...this.#waitingReaders.keys()]
      : new Set([undefined, ...entries.flatMap(({ visitorChange, visitor }) => (visitorChange ? [visitor] : []))]);
    for (const visitor of visitors) this.#wake(visitor, entries);
  }

  #dropOldest(): void {
    const oldest = this.#recent.shift();
    if (!oldest) return;
    this.#chars -= sizeOf(oldest);
    this.#bufferedFrom = oldest.position;
  }

  #wake(visitor: VisitorFilter, entries: BufferedChange[]): void {
    const waiting = this.#waitingReaders.get(visitor);
    if (!waiting) return;
    this.#waitingReaders.delete(visitor);
    const batch = batchFor(visitor, entries, this.last);
    for (const resolve of waiting) resolve(batch);
  }

  #wakeAll(): void {
    for (const visitor of [...this.#waitingReaders.keys()]) this.#wake(visitor, []);
  }

  /** Returns the buffered changes after a position; undefined if the buffer does not reach back that far. */
  bufferedAfter(after: string, visitor: VisitorFilter): ChangeBatch | undefined {
    if (after < this.#bufferedFrom) return undefined;
    return batchFor(
      visitor,
      this.#recent.filter(({ position }) => position > after),
      this.last,
    );
  }

  /**
   * Resolves with the next batch for a reader that has seen every change up to `last`. Resolves with an empty batch on
   * each heartbeat, on abort and on close.
   */
  nextBatch(signal: AbortSignal, visitor: VisitorFilter): Promise<ChangeBatch> {
    return new Promise((resolve) => {
      const waiting = this.#waitingReaders.get(visitor) ?? new Set();
      this.#waitingReaders.set(visitor, waiting);
      const done: BatchResolver = (batch) => {
        signal.removeEventListener('abort', stopWaiting);
        waiting.delete(done);
        resolve(batch);
      };
      const stopWaiting = () => done({ changes: [], last: this.last });
      waiting.add(done);
      signal.addEventListener('abort', stopWaiting);
      if (signal.aborted || this.isClosed) stopWaiting();
    });
  }

  /** Closes the buffer; every waiting reader receives an empty batch. */
  close(): void {
    this.isClosed = true;
    clearInterval(this.#heartbeat);
    this.#wakeAll();
  }
}
