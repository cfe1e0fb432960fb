/** What a project wants to know of its leads: the fields that it adds to them (contract b 5.10). */
import { newId } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { PROPERTY, Property, PropertyView } from '../../models/property.ts';
import { makeOnce } from '../../mongo.ts';
import { readMany, readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';
import type { Which } from '../conversations/leads.ts';

const FIELDS = fieldsOf(PropertyView);

/** What may be said of a property. */
interface Said {
  label: string;
  name: string;
  type?: string;
  status?: number;
}

const missing = () => notFound('Property not found');

/** A page of those that match. */
export const list = (
  filter: { id_project: string; name?: string; status: number },
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
) => readMany(Property, filter, { fields: FIELDS, ...page });

/** One property, deleted or not; 404 where there is none. */
export const find = async ({ id_project, _id }: Which) => {
  const property = isId(_id) ? await readOne(Property, { id_project, _id }, FIELDS) : null;
  if (!property) throw missing();
  return property;
};

/** Add a property. */
export const create = async (id_project: string, said: Said, createdBy: string) => {
  const _id = newId();
  await makeOnce(() => Property.create([{ _id, id_project, ...said, createdBy }]));
  return find({ id_project, _id });
};

/** Change what is given of a property. */
export const update = async ({ id_project, _id }: Which, set: Partial<Said>) => {
  if (!isId(_id)) throw missing();
  const options = { returnDocument: 'after', projection: FIELDS } as const;
  return Property.findOneAndUpdate({ id_project, _id }, { $set: set }, options).orFail(missing).lean();
};

/** Delete a property; it stays in storage, and its values in the leads. */
export const remove = (which: Which) => update(which, { status: PROPERTY.deleted });

/** Remove a property from storage. */
export const erase = async ({ id_project, _id }: Which): Promise<number> => {
  const { deletedCount } = isId(_id) ? await Property.deleteOne({ id_project, _id }) : { deletedCount: 0 };
  if (!deletedCount) throw missing();
  return deletedCount;
};
