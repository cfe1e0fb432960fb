/** Segments: saved filters of leads. */
import { newId } from '../../context.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { countRecords, readMany } from '../../database/raw-read.ts';
import { notFound } from '../../errors.ts';
import { LEAD_STATUS, Lead } from '../../models/lead.ts';
import { SEGMENT_STATUS, Segment, SegmentView } from '../../models/segment.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { type LeadFilters, toCondition } from './segment-filter.ts';

const SEGMENT_FIELDS = projectionOf(SegmentView);

const segmentNotFound = () => notFound('Segment not found');
const activeFilter = (id_project: string) => ({ id_project, status: SEGMENT_STATUS.active });

/** Returns a page of the active segments and their total number. */
export const list = async (id_project: string, page: { sort: Record<string, 1 | -1>; skip: number; limit: number }) => {
  const [count, segments] = await Promise.all([
    countRecords(Segment, activeFilter(id_project)),
    readMany(Segment, activeFilter(id_project), { fields: SEGMENT_FIELDS, ...page }),
  ]);
  return { perPage: page.limit, count, segments };
};

/** Returns an active segment; throws 404 if no active segment has this id. */
export const find = async (id_project: string, _id: string) => {
  if (!isId(_id)) throw segmentNotFound();
  return Segment.findOne({ ...activeFilter(id_project), _id }, SEGMENT_FIELDS)
    .orFail(segmentNotFound)
    .lean();
};

/** Creates a segment. */
export const create = async (id_project: string, segment: LeadFilters & { name: string }, createdBy: string) => {
  const _id = newId();
  await insertIfAbsent(() => Segment.create([{ _id, id_project, ...segment, createdBy }]));
  return find(id_project, _id);
};

const updateActive = async (id_project: string, _id: string, set: object) => {
  if (!isId(_id)) throw segmentNotFound();
  const options = { returnDocument: 'after', projection: SEGMENT_FIELDS } as const;
  return Segment.findOneAndUpdate({ ...activeFilter(id_project), _id }, { $set: set }, options)
    .orFail(segmentNotFound)
    .lean();
};

/** Updates the name or the filters of an active segment. Throws 404 if no active segment has this id. */
export const update = (id_project: string, _id: string, set: Partial<LeadFilters & { name: string }>) =>
  updateActive(id_project, _id, set);

/** Marks a segment as deleted; its record stays. Throws 404 if no active segment has this id. */
export const remove = (id_project: string, _id: string) =>
  updateActive(id_project, _id, { status: SEGMENT_STATUS.deleted });

/** Counts the leads with the status `normal` that match the filters. */
export const preview = (id_project: string, filters: LeadFilters): Promise<number> =>
  countRecords(Lead, { id_project, status: LEAD_STATUS.normal, ...toCondition(filters) });
