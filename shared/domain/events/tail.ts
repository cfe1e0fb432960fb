/** The end of one project's changes log, shared by all who follow it in this process. */
import { logger } from '../../logger.ts';
import { Change, EVERYBODY } from '../../models/change.ts';
import { type Shown, shown } from './changes.ts';

const PAGE = 100;
/** What is kept for those who were busy for a moment; whoever is slower reads the log. */
const KEPT = 256;
const KEPT_CHARS = 1_000_000;
const BEAT_MS = 15_000;
/** Whose conversations somebody follows; nobody's: the whole project. */
type Visitor = string | undefined;

/** A change as it is sent: serialised once, however many follow. */
export interface Followed {
  cursor: string;
  event: string;
  /** JSON of `{ cursor, id, event, createdAt, payload }`. */
  text: string;
}

interface Entry {
  position: string;
  team: Followed;
  visitor?: string;
  own?: Followed;
}

/** What came next, and the place up to which it is everything. */
export interface Batch {
  changes: Followed[];
  last: string;
}

type Waiting = (batch: Batch) => void;

const read = (project: string, after: string) =>
  Change.find({ id_project: { $in: [project, EVERYBODY] }, position: { $gt: after } })
    .sort({ position: 1 })
    .limit(PAGE)
    .lean();

type Stored = Awaited<ReturnType<typeof read>>[number];

/** A change made ready to be sent. */
export const followed = (change: Shown): Followed => ({
  cursor: change.cursor,
  event: change.event,
  text: JSON.stringify(change),
});

const entryOf = (stored: Stored): Entry => {
  const { position, id_project: project, visitor, visitor_payload } = stored;
  const own = visitor && visitor_payload ? { visitor, own: followed(shown(stored, { project, visitor })) } : {};
  return { position, team: followed(shown(stored, { project })), ...own };
};

const sizeOf = ({ team, own }: Entry): number => team.text.length + (own?.text.length ?? 0);

const batchFor = (visitor: Visitor, entries: Entry[], last: string): Batch => ({
  changes: entries.flatMap((entry) => {
    if (visitor === undefined) return [entry.team];
    return entry.visitor === visitor && entry.own ? [entry.own] : [];
  }),
  last,
});

/** Reads on when it is nudged: one query for all its readers, and never two at once. */
export class Tail {
  readonly project: string;
  readers = 0;
  ended = false;
  /** There may be more to read than was read. */
  due = false;
  /** Everything up to here has been read, or was there before this tail. */
  last = '';
  /** Changes may be missing before this place. */
  gap = '';
  #start: Promise<void> | undefined;
  /** Everything that came after this place is in `#recent`. */
  #since = '';
  #recent: Entry[] = [];
  #chars = 0;
  #reading = true;
  readonly #waiting = new Map<Visitor, Set<Waiting>>();
  readonly #beat = setInterval(() => this.#wakeAll(), BEAT_MS);

  constructor(project: string) {
    this.project = project;
  }

  /** Begin at the end of the log, as the first reader finds it; the others wait for that. */
  begun(endOfLog: () => Promise<{ last: string; gap: string }>): Promise<void> {
    this.#start ??= endOfLog().then(({ last, gap }) => {
      this.last = last;
      this.gap = gap;
      this.#since = last;
      this.#reading = false;
      if (this.due) this.read();
    });
    return this.#start;
  }

  /** Read what is new and hand it to those who wait. What fails is tried again when the clock looks next. */
  read(): void {
    this.due = true;
    if (this.#reading || this.ended) return;
    this.#reading = true;
    this.#readOn()
      .catch((error: Error) => {
        this.due = true;
        logger.warn({ err: error.message }, 'the changes log does not answer its followers');
      })
      .finally(() => {
        this.#reading = false;
      });
  }

  async #readOn(): Promise<void> {
    while (this.due && !this.ended) {
      this.due = false;
      const found = await read(this.project, this.last);
      if (found.length) this.#grow(found);
      this.due ||= found.length === PAGE;
    }
  }

  #grow(found: Stored[]): void {
    const gap = found.findLast(({ id_project }) => id_project === EVERYBODY)?.position;
    const entries = found.filter(({ id_project }) => id_project !== EVERYBODY).map(entryOf);
    this.last = found.at(-1)?.position ?? this.last;
    this.gap = gap ?? this.gap;
    for (const entry of entries) {
      this.#recent.push(entry);
      this.#chars += sizeOf(entry);
    }
    while (this.#recent.length > KEPT || this.#chars > KEPT_CHARS) this.#forgetOldest();
    const concerned = gap
      ? [...this.#waiting.keys()]
      : new Set([undefined, ...entries.flatMap(({ own, visitor }) => (own ? [visitor] : []))]);
    for (const visitor of concerned) this.#wake(visitor, entries);
  }

  #forgetOldest(): void {
    const oldest = this.#recent.shift();
    if (!oldest) return;
    this.#chars -= sizeOf(oldest);
    this.#since = oldest.position;
  }

  #wake(visitor: Visitor, entries: Entry[]): void {
    const waiting = this.#waiting.get(visitor);
    if (!waiting) return;
    this.#waiting.delete(visitor);
    const batch = batchFor(visitor, entries, this.last);
    for (const resolve of waiting) resolve(batch);
  }

  #wakeAll(): void {
    for (const visitor of [...this.#waiting.keys()]) this.#wake(visitor, []);
  }

  /** What came after a place, as far as it is still kept here: nothing at all where that place is too long ago. */
  kept(after: string, visitor: Visitor): Batch | undefined {
    if (after < this.#since) return undefined;
    return batchFor(
      visitor,
      this.#recent.filter(({ position }) => position > after),
      this.last,
    );
  }

  /** What comes next, for somebody who has seen everything up to `last`; an empty batch now and then where nothing does. */
  next(signal: AbortSignal, visitor: Visitor): Promise<Batch> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(visitor) ?? new Set();
      this.#waiting.set(visitor, waiting);
      const done: Waiting = (batch) => {
        signal.removeEventListener('abort', leave);
        waiting.delete(done);
        resolve(batch);
      };
      const leave = () => done({ changes: [], last: this.last });
      waiting.add(done);
      signal.addEventListener('abort', leave);
      if (signal.aborted || this.ended) leave();
    });
  }

  /** Send all who wait away. */
  end(): void {
    this.ended = true;
    clearInterval(this.#beat);
    this.#wakeAll();
  }
}
