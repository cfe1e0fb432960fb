/** Pages of the messages of a conversation: the newest ones, the oldest of them first. */
import { Message } from '../../models/message.ts';
import { readEach, readMany } from '../../read.ts';
import { withoutRemoved } from './message-removals.ts';

/** Messages of one page. */
export const MOST_ON_PAGE = 1000;
/** So many are read by the first query; most conversations have no more. */
const FEW = 40;
/** A page with more characters is not held: its messages are read as they are sent. */
const MOST_HELD = 500_000;
/** Messages of one round trip while a page is sent: so many are held for each reader. */
export const AT_ONCE = 20;

const IN_ORDER = { createdAt: 1, _id: 1 } as const;
const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** The place of a message in its conversation. */
export interface Place {
  createdAt: Date;
  _id: string;
}

/** Which page is wanted: so many messages before a place, by default the newest. */
export interface PageWanted {
  limit?: number;
  before?: Place;
}

/** Messages in their order, held or read as they are taken, and the place before which the next page ends. */
export interface MessagePage<M> {
  messages: M[] | AsyncIterable<M>;
  next: Place | null;
}

/** As much of a message as paging needs. */
interface Paged {
  _id: unknown;
  createdAt: Date;
  text?: string | null;
  attributes?: unknown;
  metadata?: unknown;
}

type Filter = object & { id_project: string; recipient: string };

const earlierThan = ({ createdAt, _id }: Place) => ({
  createdAt: { $lte: createdAt },
  $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }],
});

const notBefore = ({ createdAt, _id }: Place) => ({
  createdAt: { $gte: createdAt },
  $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gte: _id } }],
});

const placeOf = ({ createdAt, _id }: Paged): Place => ({ createdAt, _id: String(_id) });

const sizeOf = ({ text, attributes, metadata }: Paged): number =>
  (text?.length ?? 0) + JSON.stringify([attributes, metadata]).length;

const isSmall = (messages: Paged[]): boolean =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0) <= MOST_HELD;

async function* mapped<A, B>(items: AsyncIterable<A>, show: (item: A) => B): AsyncGenerator<B> {
  for await (const item of items) yield show(item);
}

/** The first message of a long page, and whether there are earlier ones. */
const beginningOf = async (filter: Filter, limit: number) => {
  const page = { fields: { createdAt: 1 }, sort: NEWEST_FIRST, skip: limit - 1, limit: 2 } as const;
  const [first, earlier] = (await readMany(Message, filter, page)) as unknown as Paged[];
  return { first: first && placeOf(first), hasMore: earlier !== undefined };
};

/** How a page is read: its fields, and what is shown of a message. */
interface Reading<M> {
  fields: Record<string, 0 | 1>;
  show: (message: never) => M;
}

/** A page of the messages that match, removed ones among them. */
const read = async <M>(
  where: Filter,
  { limit = MOST_ON_PAGE, before }: PageWanted,
  { fields, show }: Reading<M>,
): Promise<MessagePage<M>> => {
  const filter = before ? { ...where, $and: [earlierThan(before)] } : where;
  const few = Math.min(limit, FEW);
  const newest = (await readMany(Message, filter, {
    fields,
    sort: NEWEST_FIRST,
    limit: few + 1,
  })) as unknown as Paged[];
  const isWhole = newest.length <= few || few === limit;
  const page = newest.slice(0, few);
  if (isWhole && isSmall(page)) {
    const first = newest.length > few ? page.at(-1) : undefined;
    return {
      messages: page.toReversed().map((message) => show(message as never)),
      next: first ? placeOf(first) : null,
    };
  }
  const { first, hasMore } = await beginningOf(filter, limit);
  const some = first ? { ...where, $and: [notBefore(first), ...(before ? [earlierThan(before)] : [])] } : filter;
  const messages = readEach(Message, some, { fields, sort: IN_ORDER, batch: AT_ONCE }) as AsyncIterable<never>;
  return { messages: mapped(messages, show), next: hasMore && first ? first : null };
};

/**
 * A page of the messages that match. A short conversation costs one query; a long page is never held as a whole. Removed messages are looked
 * for in long conversations only: as long as some are not deleted there are more of them than a short page has.
 */
export const pageOf = async <M>(where: Filter, wanted: PageWanted, reading: Reading<M>): Promise<MessagePage<M>> => {
  const page = await read(where, wanted, reading);
  if (!wanted.before && !page.next && Array.isArray(page.messages)) return page;
  const left = await withoutRemoved(where);
  return left === where ? page : read(left, wanted, reading);
};
