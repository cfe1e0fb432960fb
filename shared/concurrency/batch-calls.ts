/** Joins calls that are made within a short time, so that one command serves all of them. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough to join the calls of all listeners that one event starts in a process. */
const DEFAULT_WINDOW_MS = 10;

/**
 * Returns a function that collects the items of its calls for `windowMs` (by default 10) after the first of them, and
 * passes them to `work` together. `work` returns one result per item, in the same order. If `work` fails, all of these
 * calls fail with the same error.
 */
export const batchCalls = <Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  windowMs = DEFAULT_WINDOW_MS,
): ((item: Item) => Promise<Result>) => {
  let collecting: { items: Item[]; results: Promise<Result[]> } | undefined;
  const runLater = async (items: Item[]): Promise<Result[]> => {
    await sleep(windowMs);
    collecting = undefined;
    return work(items);
  };
  return async (item) => {
    const items = collecting?.items ?? [];
    const index = items.push(item) - 1;
    collecting ??= { items, results: runLater(items) };
    return (await collecting.results)[index] as Result;
  };
};
