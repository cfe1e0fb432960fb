/** Following a project's changes as they happen. */
import { GapError, type Page, page, present, type Scope } from './changes.ts';
import { type Batch, type Followed, followed, type Tail } from './tail.ts';
import { join, leave } from './tails.ts';

const PAGE = 100;

const later = (one: string, other: string): string => (one > other ? one : other);

const fromLog = async (scope: Scope, after: string, { last: known }: Tail): Promise<Batch> => {
  const { changes } = await page(scope, { after, limit: PAGE });
  const last = changes.at(-1)?.cursor ?? after;
  return { changes: changes.map(followed), last: changes.length < PAGE ? later(last, known) : last };
};

const nextBatch = async (scope: Scope, after: string, { tail, signal }: { tail: Tail; signal: AbortSignal }) =>
  after >= tail.last
    ? tail.next(signal, scope.visitor)
    : (tail.kept(after, scope.visitor) ?? fromLog(scope, after, tail));

/**
 * What happens after a cursor, each change once and in order: first from the log, at once even if that is nothing, then as
 * it comes; an empty batch now and then while nothing does. Whoever is slow reads the log again, so nothing piles up.
 * Ends with the signal and with the process; throws `GapError` as `page` does.
 */
export async function* follow(scope: Scope, after: string, signal: AbortSignal): AsyncGenerator<Followed[]> {
  const tail = await join(scope.project);
  try {
    let last = after;
    let batch = await fromLog(scope, last, tail);
    for (;;) {
      if (batch.gap && batch.gap > last) throw new GapError(batch.gap);
      yield batch.changes.filter(({ cursor }) => cursor > last);
      last = later(last, batch.last);
      if (signal.aborted || tail.ended) return;
      batch = await nextBatch(scope, last, { tail, signal });
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
