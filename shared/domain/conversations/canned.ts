/** Canned responses: what is kept ready to be said, who sees it and who may change it (contract b 8.2). */
import type { z } from 'zod';
import { newId } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { CANNED, Canned, CannedView } from '../../models/canned.ts';
import { makeOnce } from '../../mongo.ts';
import { readMany, readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';

const FIELDS = fieldsOf(CannedView);

type Stored = z.input<typeof CannedView>;

/** Who asks: a teammate of the project. */
export interface Teammate {
  id: string;
  role?: string;
}

interface Where {
  id_project: string;
  _id: string;
}

interface Texts {
  title?: string;
  text: string;
  attributes?: Record<string, unknown>;
}

const missing = () => notFound('Canned response not found');
const refused = () => new AppError(403, 'NOT_YOURS', 'This canned response is not yours');

const mayRead = ({ shared, createdBy }: Stored, { id }: Teammate): boolean => shared !== false || createdBy === id;

/** Agents change their own, who leads the project all that is not somebody else's alone. */
const mayChange = (canned: Stored, by: Teammate): boolean =>
  by.role === 'agent' ? canned.createdBy === by.id : mayRead(canned, by);

const find = async ({ id_project, _id }: Where): Promise<Stored> => {
  const canned = isId(_id) ? await readOne(Canned, { id_project, _id }, FIELDS) : null;
  if (!canned) throw missing();
  return canned;
};

const inUse = (canned: Stored): Stored => {
  if (canned.status >= CANNED.deleted) throw missing();
  return canned;
};

/** A page of those that the teammate sees: all but what others keep for themselves. */
export const list = (
  id_project: string,
  by: Teammate,
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
) => {
  const seen = { status: { $lt: CANNED.deleted }, $or: [{ shared: { $ne: false } }, { createdBy: by.id }] };
  return readMany(Canned, { id_project, ...seen }, { fields: FIELDS, ...page });
};

/** One of them; 403 for what somebody keeps for himself. */
export const read = async (where: Where, by: Teammate): Promise<Stored> => {
  const canned = inUse(await find(where));
  if (!mayRead(canned, by)) throw refused();
  return canned;
};

/** Keep an answer ready. An agent's is its own unless it shares it; that of an admin or owner is everybody's. */
export const create = async (
  id_project: string,
  { shared = false, ...texts }: Texts & { shared?: boolean },
  by: Teammate,
) => {
  const _id = newId();
  const canned = { _id, id_project, ...texts, shared: shared || by.role !== 'agent', createdBy: by.id };
  await makeOnce(() => Canned.create([canned]));
  return find({ id_project, _id });
};

const set = async (where: Where, change: Partial<Texts> & { status?: number }): Promise<Stored> => {
  const options = { returnDocument: 'after', projection: FIELDS } as const;
  return Canned.findOneAndUpdate({ ...where }, { $set: change }, options)
    .orFail(missing)
    .lean();
};

const changeable = async (where: Where, by: Teammate): Promise<Stored> => {
  const canned = await find(where);
  if (!mayChange(canned, by)) throw refused();
  return canned;
};

/** Change what is given of it. */
export const update = async (where: Where, given: Partial<Texts>, by: Teammate): Promise<Stored> => {
  inUse(await changeable(where, by));
  return set(where, given);
};

/** Put it out of sight; its record stays. */
export const hide = async (where: Where, by: Teammate): Promise<Stored> => {
  inUse(await changeable(where, by));
  return set(where, { status: CANNED.deleted });
};

/** Remove it for good, hidden or not. */
export const remove = async (where: Where, by: Teammate): Promise<number> => {
  await changeable(where, by);
  return (await Canned.deleteOne({ ...where })).deletedCount;
};
