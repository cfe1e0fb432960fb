/** Segments: leads by what they have in common (contract b 9). */
import { newId } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { LEAD, Lead } from '../../models/lead.ts';
import { SEGMENT, Segment, SegmentView } from '../../models/segment.ts';
import { makeOnce } from '../../mongo.ts';
import { countOf, readMany } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';
import { conditionOf, type Filters } from './segment-filter.ts';

const FIELDS = fieldsOf(SegmentView);

const missing = () => notFound('Segment not found');
const active = (id_project: string) => ({ id_project, status: SEGMENT.active });

/** A page of the project's segments, and how many there are. */
export const list = async (id_project: string, page: { sort: Record<string, 1 | -1>; skip: number; limit: number }) => {
  const [count, segments] = await Promise.all([
    countOf(Segment, active(id_project)),
    readMany(Segment, active(id_project), { fields: FIELDS, ...page }),
  ]);
  return { perPage: page.limit, count, segments };
};

/** A segment that is in use, or 404. */
export const find = async (id_project: string, _id: string) => {
  if (!isId(_id)) throw missing();
  return Segment.findOne({ ...active(id_project), _id }, FIELDS)
    .orFail(missing)
    .lean();
};

/** Make a segment. */
export const create = async (id_project: string, segment: Filters & { name: string }, createdBy: string) => {
  const _id = newId();
  await makeOnce(() => Segment.create([{ _id, id_project, ...segment, createdBy }]));
  return find(id_project, _id);
};

const change = async (id_project: string, _id: string, set: object) => {
  if (!isId(_id)) throw missing();
  const options = { returnDocument: 'after', projection: FIELDS } as const;
  return Segment.findOneAndUpdate({ ...active(id_project), _id }, { $set: set }, options)
    .orFail(missing)
    .lean();
};

/** Change what is given of a segment (decision 20). */
export const update = (id_project: string, _id: string, set: Partial<Filters & { name: string }>) =>
  change(id_project, _id, set);

/** Delete a segment; it stays in storage. */
export const remove = (id_project: string, _id: string) => change(id_project, _id, { status: SEGMENT.deleted });

/** How many leads in use the filters hold. */
export const preview = (id_project: string, filters: Filters): Promise<number> =>
  countOf(Lead, { id_project, status: LEAD.normal, ...conditionOf(filters) });
