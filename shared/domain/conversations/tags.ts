/** The tags that a project offers (contract b 8.1). */
import { newId } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { Tag, TagView } from '../../models/tag.ts';
import { isDuplicate, makeOnce } from '../../mongo.ts';
import { readMany, readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';

const FIELDS = fieldsOf(TagView);

interface NewTag {
  tag: string;
  color?: string;
  attributes?: Record<string, unknown>;
}

const missing = () => notFound('Tag not found');

/** A page of them. */
export const list = (id_project: string, page: { sort: Record<string, 1 | -1>; skip: number; limit: number }) =>
  readMany(Tag, { id_project }, { fields: FIELDS, ...page });

/** One tag, or 404. */
export const read = async (id_project: string, _id: string) => {
  const tag = isId(_id) ? await readOne(Tag, { id_project, _id }, FIELDS) : null;
  if (!tag) throw missing();
  return tag;
};

/** Offer a tag; one that has the name already stays as it is, and is the answer. */
export const create = async (id_project: string, given: NewTag, createdBy: string) => {
  await makeOnce(() => Tag.create([{ _id: newId(), id_project, ...given, createdBy }]));
  const tag = await readOne(Tag, { id_project, tag: given.tag }, FIELDS);
  if (!tag) throw missing(); // deleted meanwhile
  return tag;
};

/** Change what is given of a tag; 409 where another has the name. */
export const update = async (id_project: string, _id: string, given: Partial<NewTag>) => {
  if (!isId(_id)) throw missing();
  try {
    const options = { returnDocument: 'after', projection: FIELDS } as const;
    return await Tag.findOneAndUpdate({ id_project, _id }, { $set: given }, options).orFail(missing).lean();
  } catch (error) {
    if (isDuplicate(error)) throw new AppError(409, 'EXISTS', `tag: ${given.tag} is there already`);
    throw error;
  }
};

/** Offer a tag no longer; conversations keep theirs. */
export const remove = async (id_project: string, _id: string): Promise<number> => {
  const { deletedCount } = isId(_id) ? await Tag.deleteOne({ id_project, _id }) : { deletedCount: 0 };
  if (!deletedCount) throw missing();
  return deletedCount;
};
