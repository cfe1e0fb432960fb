/** Lead properties: the custom fields that a project defines for its leads. */
import { newId } from '../../context.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { readMany, readOne } from '../../database/raw-read.ts';
import { notFound } from '../../errors.ts';
import { PROPERTY_STATUS, Property, PropertyView } from '../../models/property.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import type { LeadKey } from './leads.ts';

const PROPERTY_FIELDS = projectionOf(PropertyView);

/** The fields of a property that a caller may set. */
interface PropertyInput {
  label: string;
  name: string;
  type?: string;
  status?: number;
}

const propertyNotFound = () => notFound('Property not found');

/** Returns a page of the properties that match the filter. */
export const list = (
  filter: { id_project: string; name?: string; status: number },
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
) => readMany(Property, filter, { fields: PROPERTY_FIELDS, ...page });

/** Returns a property, even a deleted one; throws 404 if it does not exist. */
export const find = async ({ id_project, _id }: LeadKey) => {
  const property = isId(_id) ? await readOne(Property, { id_project, _id }, PROPERTY_FIELDS) : null;
  if (!property) throw propertyNotFound();
  return property;
};

/** Creates a property. */
export const create = async (id_project: string, input: PropertyInput, createdBy: string) => {
  const _id = newId();
  await insertIfAbsent(() => Property.create([{ _id, id_project, ...input, createdBy }]));
  return find({ id_project, _id });
};

/** Updates a property; throws 404 if it does not exist. */
export const update = async ({ id_project, _id }: LeadKey, set: Partial<PropertyInput>) => {
  if (!isId(_id)) throw propertyNotFound();
  const options = { returnDocument: 'after', projection: PROPERTY_FIELDS } as const;
  return Property.findOneAndUpdate({ id_project, _id }, { $set: set }, options).orFail(propertyNotFound).lean();
};

/** Marks a property as deleted; its record and its values in leads stay. Throws 404 if it does not exist. */
export const remove = (key: LeadKey) => update(key, { status: PROPERTY_STATUS.deleted });

/** Deletes the record of a property and returns the number of deleted records. Throws 404 if it does not exist. */
export const erase = async ({ id_project, _id }: LeadKey): Promise<number> => {
  const { deletedCount } = isId(_id) ? await Property.deleteOne({ id_project, _id }) : { deletedCount: 0 };
  if (!deletedCount) throw propertyNotFound();
  return deletedCount;
};
