/** Ids of the tags that records such as conversations contain. */
import { Types } from 'mongoose';
import type { Fields } from '../fields.ts';

/** Gives an id to each tag that has none. */
export const withTagIds = (tags: Fields[]): Fields[] =>
  tags.map(({ _id, ...tag }) => ({ ...tag, _id: new Types.ObjectId(_id as string | undefined) }));
