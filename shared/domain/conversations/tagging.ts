/** The tags that a conversation bears (contract b 1.15); each name once. */
import { newId } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { type Conversation, change, type StoredRequest } from './requests.ts';

/** Most tags of one conversation. */
export const MOST_TAGS = 100;

/** A tag as it comes in. */
export interface GivenTag {
  tag: string;
  color?: string;
}

/** With an id each, and each name once. */
const made = (given: GivenTag[]) =>
  [...new Map(given.map((tag) => [tag.tag, tag])).values()].map((tag) => ({ _id: newId(), ...tag }));

/** Puts these in the place of a conversation's tags; one whose name is there keeps its id. */
export const replacing = (given: GivenTag[]) => {
  const tags = made(given);
  return ({ tags: before }: StoredRequest) =>
    tags.map((tag) => ({ ...tag, _id: before.find((known) => known.tag === tag.tag)?._id ?? tag._id }));
};

/** Add the tags whose names are not there yet; 422 where it would be too many. */
export const add = (where: Conversation, given: GivenTag[]) => {
  const tags = made(given);
  return change(where, ({ tags: before }) => {
    const fresh = tags.filter(({ tag }) => !before.some((known) => known.tag === tag));
    if (!fresh.length) return null;
    if (before.length + fresh.length > MOST_TAGS)
      throw new AppError(422, 'INVALID', `tags: a conversation has at most ${MOST_TAGS}`);
    return {
      set: { tags: [...before, ...fresh] },
      tells: [
        'request.update',
        ['request.updated', { comment: 'TAG_ADD', patch: { tags: fresh } }],
        ['request.tag.update', { tags: fresh }],
      ],
    };
  });
};

/** Take a tag away by its id; where there is none, nothing changes. */
export const remove = (where: Conversation, id: string) =>
  change(where, ({ tags: before }) => {
    const tags = before.filter(({ _id }) => String(_id) !== id);
    if (tags.length === before.length) return null;
    const patch = { tags: before.filter((tag) => !tags.includes(tag)).map(({ tag }) => tag) };
    return { set: { tags }, tells: ['request.update', ['request.updated', { comment: 'TAG_REMOVE', patch }]] };
  });
