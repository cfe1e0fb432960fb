/** Following a project's changes as they happen. */
import { between, GapError, type Page, page, present, type Scope } from './changes.ts';
import { isTooOld, OLDEST } from './cursors.ts';
import { type Batch, type Followed, followed, type Tail } from './tail.ts';
import { join, leave } from './tails.ts';

const PAGE = 100;
const FIRST = 16;
/** Characters that a follower holds while its reader takes them, if not a single change is larger: there may be many slow readers. */
const HELD = 32_768;

const later = (one: string, other: string): string => (one > other ? one : other);

/** A follower's part in the tail. */
interface Place {
  tail: Tail;
  signal: AbortSignal;
  /** Changes that it has room for, by the size of those before. */
  room: number;
}

/** Never beyond the tail: it knows of every gap up to where it is. */
const fromLog = async (scope: Scope, after: string, { tail, room }: Place): Promise<Batch> => {
  const upTo = tail.last;
  const changes = await between(scope, { after, upTo, limit: room });
  const last = changes.length < room ? upTo : (changes.at(-1)?.cursor ?? upTo);
  return { changes: changes.map(followed), last };
};

/** What came up to where the tail is; empty where that is nothing. */
const missed = async (scope: Scope, after: string, place: Place): Promise<Batch> => {
  const { tail } = place;
  let last = after;
  while (last < tail.last) {
    const batch = tail.kept(last, scope.visitor) ?? (await fromLog(scope, last, place));
    if (batch.changes.length) return batch;
    last = later(last, batch.last);
  }
  return { changes: [], last };
};

const nextBatch = async (scope: Scope, after: string, place: Place): Promise<Batch> => {
  const { tail, signal } = place;
  const batch = await missed(scope, after, place);
  return batch.changes.length || batch.last < tail.last ? batch : tail.next(signal, scope.visitor);
};

const roomFor = (changes: Followed[]): number => {
  const size = changes.reduce((sum, { text }) => sum + text.length, 0) / changes.length;
  return Math.max(1, Math.min(PAGE, Math.floor(HELD / size)));
};

/** As much of a batch as one follower may hold; it comes back for the rest. */
const portion = ({ changes, last }: Batch): Batch => {
  let size = 0;
  const beyond = changes.findIndex(({ text }, index) => {
    size += text.length;
    return index > 0 && size > HELD;
  });
  if (beyond === -1) return { changes, last };
  const held = changes.slice(0, beyond);
  return { changes: held, last: held.at(-1)?.cursor ?? last };
};

/**
 * What happens after a cursor, each change once and in order: first from the log, at once even if that is nothing, then as
 * it comes; an empty batch now and then while nothing does. Whoever is slow reads the log again, so nothing piles up.
 * Ends with the signal and with the process; throws `GapError` as `page` does.
 */
export async function* follow(scope: Scope, after: string, signal: AbortSignal): AsyncGenerator<Followed[]> {
  if (isTooOld(after)) throw new GapError(await present(scope));
  const tail = await join(scope.project);
  const place = { tail, signal, room: FIRST };
  let last = after === OLDEST ? later(after, tail.gap) : after;
  try {
    let batch = portion(await missed(scope, last, place));
    for (;;) {
      if (tail.gap > last) throw new GapError(tail.gap);
      yield batch.changes.filter(({ cursor }) => cursor > last);
      last = later(last, batch.last);
      if (signal.aborted || tail.ended) return;
      if (batch.changes.length) place.room = roomFor(batch.changes);
      batch = portion(await nextBatch(scope, last, place));
    }
  } finally {
    leave(tail);
  }
}

/** What a client asks of the log: without `after` where it stands; `wait`: seconds for the first change to come. */
export interface Asked {
  after?: string;
  limit: number;
  wait: number;
}

/** A page of changes; where there is none yet, the first ones to come within `wait`. */
export const soon = async (scope: Scope, { after, limit, wait }: Asked, signal: AbortSignal): Promise<Page> => {
  if (after === undefined) return { changes: [], next: await present(scope) };
  const found = await page(scope, { after, limit });
  if (found.changes.length || !wait) return found;
  const over = AbortSignal.any([signal, AbortSignal.timeout(wait * 1000)]);
  for await (const batch of follow(scope, found.next, over)) if (batch.length) break;
  return page(scope, { after: found.next, limit });
};
