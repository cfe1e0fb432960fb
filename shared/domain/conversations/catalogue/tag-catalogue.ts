/** The tag catalogue of a project: the tags offered for conversations. */
import { newId } from '../../../context.ts';
import { insertIfAbsent, isDuplicateKey } from '../../../database/unique-keys.ts';
import { readMany, readOne } from '../../../database/raw-read.ts';
import { AppError, notFound } from '../../../errors.ts';
import { Tag, TagView } from '../../../models/tag.ts';
import { isId, projectionOf } from '../../../wire/view.ts';

const TAG_FIELDS = projectionOf(TagView);

interface NewTag {
  tag: string;
  color?: string;
  attributes?: Record<string, unknown>;
}

const tagNotFound = () => notFound('Tag not found');

/** Returns a page of the tags. */
export const list = (id_project: string, page: { sort: Record<string, 1 | -1>; skip: number; limit: number }) =>
  readMany(Tag, { id_project }, { fields: TAG_FIELDS, ...page });

/** Returns a tag. Throws 404 for an unknown tag. */
export const read = async (id_project: string, _id: string) => {
  const tag = isId(_id) ? await readOne(Tag, { id_project, _id }, TAG_FIELDS) : null;
  if (!tag) throw tagNotFound();
  return tag;
};

/** Creates a tag. If a tag with this name exists, returns that tag unchanged. */
export const create = async (id_project: string, input: NewTag, createdBy: string) => {
  await insertIfAbsent(() => Tag.create([{ _id: newId(), id_project, ...input, createdBy }]));
  const tag = await readOne(Tag, { id_project, tag: input.tag }, TAG_FIELDS);
  if (!tag) throw tagNotFound(); // deleted in the meantime
  return tag;
};

/** Updates a tag. Errors: 404 for an unknown tag, 409 if another tag has the name. */
export const update = async (id_project: string, _id: string, patch: Partial<NewTag>) => {
  if (!isId(_id)) throw tagNotFound();
  try {
    const options = { returnDocument: 'after', projection: TAG_FIELDS } as const;
    return await Tag.findOneAndUpdate({ id_project, _id }, { $set: patch }, options).orFail(tagNotFound).lean();
  } catch (error) {
    if (isDuplicateKey(error))
      throw new AppError(409, 'ALREADY_EXISTS', `tag: a tag named "${patch.tag}" already exists`);
    throw error;
  }
};

/** Deletes a tag from the catalogue, but not from conversations. Throws 404 for an unknown tag. */
export const remove = async (id_project: string, _id: string): Promise<number> => {
  const { deletedCount } = isId(_id) ? await Tag.deleteOne({ id_project, _id }) : { deletedCount: 0 };
  if (!deletedCount) throw tagNotFound();
  return deletedCount;
};
