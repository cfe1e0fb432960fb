/** Iterates over the records of lists. */
import type { ListReply } from './call.ts';

type ReadPage = (query: Record<string, unknown>) => Promise<ListReply>;

/** The records of a page: the reply, or the array in it. */
const recordsOf = (reply: unknown): unknown[] =>
  Array.isArray(reply) ? reply : (Object.values(reply as object).find(Array.isArray) ?? []);

/** The query of the next page; undefined after the last page. */
const nextQuery = (query: Record<string, unknown>, { reply, nextCursor }: ListReply, count: number) => {
  const cursor = nextCursor ?? (reply as { next_cursor?: string | null }).next_cursor;
  if (cursor) return { ...query, page: undefined, cursor };
  const usesCursors = cursor === null || query.cursor !== undefined;
  return count && !usesCursors ? { ...query, page: Number(query.page ?? 0) + 1 } : undefined;
};

/** Yields the records of all pages. Lists without cursors are read until a page is empty. */
export async function* listRecords(readPage: ReadPage, query: Record<string, unknown> = {}): AsyncGenerator {
  for (let next: Record<string, unknown> | undefined = query; next; ) {
    const page = await readPage(next);
    const records = recordsOf(page.reply);
    yield* records;
    next = nextQuery(next, page, records.length);
  }
}
