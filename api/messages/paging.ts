/** Pages of the messages of a conversation, as query and answer have them. */
import { z } from 'zod';
import { MOST_ON_PAGE, type MessagePage } from '#shared/domain/conversations/message-pages.ts';
import { isId } from '#shared/view.ts';
import { cursor, written } from '../http/cursor.ts';
import { Listing } from '../http/endpoint.ts';
import { wholeNumber } from '../http/paging.ts';

/** The place of a message: its time and its `_id`. */
const Place = z.tuple([z.iso.datetime(), z.string().refine(isId)]);

/** Query fields of a page. */
export const paged = {
  limit: wholeNumber(1, MOST_ON_PAGE).meta({
    description: `The newest so many, the oldest of them first. Default and most: ${MOST_ON_PAGE}`,
  }),
  cursor: cursor(Place).meta({
    description: '`X-Next-Cursor` of the page before: the messages that came before those',
  }),
};

/** The page that a checked query asks for. */
export const wantedOf = ({ limit, cursor }: { limit?: number; cursor?: z.output<typeof Place> }) => ({
  limit,
  before: cursor && { createdAt: new Date(cursor[0]), _id: cursor[1] },
});

/** A page as it is answered. */
export const listing = ({ messages, next }: MessagePage<unknown>): Listing =>
  new Listing(messages, next && written([next.createdAt.toISOString(), next._id]));
