/**
 * Pages of messages. The first page contains the newest messages. Within a page, the oldest message comes first.
 * Messages of a deleted conversation are excluded, even while their removal is pending (until a job deletes them).
 */
import { readEach, readMany } from '../../../database/raw-read.ts';
import { Message } from '../../../models/message.ts';
import { MessageRemoval } from '../../../models/message-removal.ts';

/** Maximum number of messages per page. */
export const MAX_PAGE_SIZE = 1000;
/** Number of messages that the first query reads. Most conversations have fewer messages. */
const FIRST_QUERY_SIZE = 40;
/** A page with more characters is streamed instead of buffered. */
const MAX_BUFFERED_CHARACTERS = 500_000;
/** Number of messages that a streamed page reads per round trip to the database, and holds in memory. */
export const STREAM_BATCH_SIZE = 20;

const OLDEST_FIRST = { createdAt: 1, _id: 1 } as const;
const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** The sort position of a message in its conversation. */
export interface MessagePosition {
  createdAt: Date;
  _id: string;
}

/** Selects the last `limit` messages before a position; without a position, the newest messages. */
export interface MessagePageQuery {
  limit?: number;
  before?: MessagePosition;
}

/**
 * Messages, oldest first, buffered or streamed. To read the next page, pass `next` as `before`. `next` is null on the
 * last page.
 */
export interface MessagePage<M> {
  messages: M[] | AsyncIterable<M>;
  next: MessagePosition | null;
}

/** The fields of a message that paging uses. */
interface PagedMessage {
  _id: unknown;
  createdAt: Date;
  text?: string | null;
  attributes?: unknown;
  metadata?: unknown;
}

type Filter = object & { id_project: string; recipient: string };

/** A filter for the messages of a removal, without the project's id. */
export const removalFilter = ({ request_id, upTo }: { request_id: string; upTo: Date }) => ({
  recipient: request_id,
  channel_type: { $ne: 'direct' },
  createdAt: { $lte: upTo },
});

/**
 * Returns a filter that also excludes messages whose removal is pending. If the filter has a `recipient`, only the
 * removals of that conversation are checked. Returns `filter` itself if no removal is pending.
 */
export const withoutRemoved = async <F extends { id_project: string; recipient?: string }>(filter: F): Promise<F> => {
  const { id_project, recipient } = filter;
  const removalsFilter = { id_project, ...(recipient !== undefined && { request_id: recipient }) };
  const removals = await MessageRemoval.find(removalsFilter, { request_id: 1, upTo: 1 }).lean();
  return removals.length ? { ...filter, $nor: removals.map(removalFilter) } : filter;
};

const earlierThan = ({ createdAt, _id }: MessagePosition) => ({
  createdAt: { $lte: createdAt },
  $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }],
});

const notBefore = ({ createdAt, _id }: MessagePosition) => ({
  createdAt: { $gte: createdAt },
  $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gte: _id } }],
});

const positionOf = ({ createdAt, _id }: PagedMessage): MessagePosition => ({ createdAt, _id: String(_id) });

const sizeOf = ({ text, attributes, metadata }: PagedMessage): number =>
  (text?.length ?? 0) + JSON.stringify([attributes, metadata]).length;

const isSmall = (messages: PagedMessage[]): boolean =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0) <= MAX_BUFFERED_CHARACTERS;

async function* mapEach<A, B>(items: AsyncIterable<A>, toView: (item: A) => B): AsyncGenerator<B> {
  for await (const item of items) yield toView(item);
}

/** Returns the position of the first message of a long page, and whether earlier messages exist. */
const pageStart = async (filter: Filter, limit: number) => {
  const page = { fields: { createdAt: 1 }, sort: NEWEST_FIRST, skip: limit - 1, limit: 2 } as const;
  const [first, earlier] = (await readMany(Message, filter, page)) as unknown as PagedMessage[];
  return { first: first && positionOf(first), hasMore: earlier !== undefined };
};

/** The fields to read, and the function that converts each message to its view. */
interface PageReader<M> {
  fields: Record<string, 0 | 1>;
  toView: (message: never) => M;
}

/** Reads a page without excluding pending removals. */
const readRawPage = async <M>(
  filter: Filter,
  { limit = MAX_PAGE_SIZE, before }: MessagePageQuery,
  { fields, toView }: PageReader<M>,
): Promise<MessagePage<M>> => {
  const pageFilter = before ? { ...filter, $and: [earlierThan(before)] } : filter;
  const firstLimit = Math.min(limit, FIRST_QUERY_SIZE);
  const newest = (await readMany(Message, pageFilter, {
    fields,
    sort: NEWEST_FIRST,
    limit: firstLimit + 1,
  })) as unknown as PagedMessage[];
  const isComplete = newest.length <= firstLimit || firstLimit === limit;
  const page = newest.slice(0, firstLimit);
  if (isComplete && isSmall(page)) {
    const first = newest.length > firstLimit ? page.at(-1) : undefined;
    return {
      messages: page.toReversed().map((message) => toView(message as never)),
      next: first ? positionOf(first) : null,
    };
  }
  const { first, hasMore } = await pageStart(pageFilter, limit);
  const range = first ? { ...filter, $and: [notBefore(first), ...(before ? [earlierThan(before)] : [])] } : pageFilter;
  const messages = readEach(Message, range, {
    fields,
    sort: OLDEST_FIRST,
    batchSize: STREAM_BATCH_SIZE,
  }) as AsyncIterable<never>;
  return { messages: mapEach(messages, toView), next: hasMore && first ? first : null };
};

/**
 * Reads a page of the messages that match a filter. A short conversation, with at most `FIRST_QUERY_SIZE` messages,
 * costs one query. A long page is streamed. Pending removals are looked up only for long conversations, because the
 * caller may see either none of the messages of a pending removal or more of them than a short conversation has.
 */
export const readMessagePage = async <M>(
  filter: Filter,
  query: MessagePageQuery,
  reader: PageReader<M>,
): Promise<MessagePage<M>> => {
  const page = await readRawPage(filter, query, reader);
  if (!query.before && !page.next && Array.isArray(page.messages)) return page;
  const visible = await withoutRemoved(filter);
  return visible === filter ? page : readRawPage(visible, query, reader);
};
