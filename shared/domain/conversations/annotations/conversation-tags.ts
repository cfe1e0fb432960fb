/** Tags of a conversation. Names are unique within the conversation. */
import { newId } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { type ConversationKey, type StoredConversation, updateConversation } from '../conversation.ts';

/** Maximum number of tags per conversation. */
export const MAX_TAGS_PER_CONVERSATION = 100;

/** A tag as a caller sends it. */
export interface TagInput {
  tag: string;
  color?: string;
}

/** Assigns ids to tags. If several tags have the same name, only the last one is kept. */
const withIds = (input: TagInput[]) =>
  [...new Map(input.map((tag) => [tag.tag, tag])).values()].map((tag) => ({ _id: newId(), ...tag }));

/** Returns a function that computes the new tags of a conversation. A tag with an existing name keeps its id. */
export const tagsReplacer = (input: TagInput[]) => {
  const tags = withIds(input);
  return ({ tags: before }: StoredConversation) =>
    tags.map((tag) => ({ ...tag, _id: before.find((existing) => existing.tag === tag.tag)?._id ?? tag._id }));
};

/**
 * Adds tags, and skips tags whose names already exist. Errors: 404 for an unknown conversation, 422 if the conversation
 * would have too many tags.
 */
export const add = (key: ConversationKey, input: TagInput[]) => {
  const tags = withIds(input);
  return updateConversation(key, ({ tags: before }) => {
    const newTags = tags.filter(({ tag }) => !before.some((existing) => existing.tag === tag));
    if (!newTags.length) return null;
    if (before.length + newTags.length > MAX_TAGS_PER_CONVERSATION)
      throw new AppError(
        422,
        'INVALID',
        `tags: a conversation can have at most ${MAX_TAGS_PER_CONVERSATION} tags; remove some first`,
      );
    return {
      set: { tags: [...before, ...newTags] },
      events: [
        'request.update',
        ['request.updated', { comment: 'TAG_ADD', patch: { tags: newTags } }],
        ['request.tag.update', { tags: newTags }],
      ],
    };
  });
};

/** Removes a tag by its id. Removing an absent tag changes nothing. `request.updated` names the removed tag. */
export const remove = (key: ConversationKey, id: string) =>
  updateConversation(key, ({ tags: before }) => {
    const tags = before.filter(({ _id }) => String(_id) !== id);
    if (tags.length === before.length) return null;
    const patch = { tags: before.filter((tag) => !tags.includes(tag)).map(({ tag }) => tag) };
    return { set: { tags }, events: ['request.update', ['request.updated', { comment: 'TAG_REMOVE', patch }]] };
  });
