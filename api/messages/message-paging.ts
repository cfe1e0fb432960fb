/** The query and the reply for a page of a conversation's messages. */
import { z } from 'zod';
import { MAX_PAGE_SIZE, type MessagePage } from '#shared/domain/conversations/messages/message-pages.ts';
import { isId } from '#shared/wire/view.ts';
import { Listing } from '../http/endpoint.ts';
import { cursorParameter, encodeCursor } from '../http/request/cursor.ts';
import { optionalInteger } from '../http/request/paging.ts';

/** The position of a message: its creation time and its `_id`. */
const MessagePosition = z.tuple([z.iso.datetime(), z.string().refine(isId)]);

/** Query fields of a page. */
export const messagePagingQuery = {
  limit: optionalInteger(1, MAX_PAGE_SIZE).meta({
    description: `Maximum number of messages to return: the newest, in chronological order. Default and maximum: ${MAX_PAGE_SIZE}`,
  }),
  cursor: cursorParameter(MessagePosition).meta({
    description: '`X-Next-Cursor` of the previous page; returns the messages that are older than that page',
  }),
};

/** Converts the validated query to a request for a page of messages. */
export const toPageRequest = ({ limit, cursor }: { limit?: number; cursor?: z.output<typeof MessagePosition> }) => ({
  limit,
  before: cursor && { createdAt: new Date(cursor[0]), _id: cursor[1] },
});

/** Converts a page to a reply with the cursor of the next page. */
export const toListing = ({ messages, next }: MessagePage<unknown>): Listing =>
  new Listing(messages, next && encodeCursor([next.createdAt.toISOString(), next._id]));
