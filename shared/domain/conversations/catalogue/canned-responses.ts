/** Canned responses: texts that teammates reuse. A response is shared with the team or private to its author. */
import type { z } from 'zod';
import { newId } from '../../../context.ts';
import { insertIfAbsent } from '../../../database/connection.ts';
import { readMany, readOne } from '../../../database/raw-read.ts';
import { AppError, notFound } from '../../../errors.ts';
import { CANNED_RESPONSE_STATUS, CannedResponse, CannedResponseView } from '../../../models/canned-response.ts';
import { isId, projectionOf } from '../../../wire/view.ts';

const CANNED_FIELDS = projectionOf(CannedResponseView);

type StoredCanned = z.input<typeof CannedResponseView>;

/** The calling teammate. */
export interface Teammate {
  id: string;
  role?: string;
}

interface CannedKey {
  id_project: string;
  _id: string;
}

interface CannedTexts {
  title?: string;
  text: string;
  attributes?: Record<string, unknown>;
}

const cannedNotFound = () => notFound('Canned response not found');
const notOwner = () => new AppError(403, 'NOT_OWNER', 'This canned response belongs to another teammate');

const canRead = ({ shared, createdBy }: StoredCanned, { id }: Teammate): boolean =>
  shared !== false || createdBy === id;

/** Agents can change their own responses; admins and owners can change all but the private ones of others. */
const canChange = (canned: StoredCanned, by: Teammate): boolean =>
  by.role === 'agent' ? canned.createdBy === by.id : canRead(canned, by);

const find = async ({ id_project, _id }: CannedKey): Promise<StoredCanned> => {
  const canned = isId(_id) ? await readOne(CannedResponse, { id_project, _id }, CANNED_FIELDS) : null;
  if (!canned) throw cannedNotFound();
  return canned;
};

const requireInUse = (canned: StoredCanned): StoredCanned => {
  if (canned.status >= CANNED_RESPONSE_STATUS.deleted) throw cannedNotFound();
  return canned;
};

/** Returns a page of the responses that the teammate can read: all but the private ones of others. */
export const list = (
  id_project: string,
  by: Teammate,
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
) => {
  const readable = {
    status: { $lt: CANNED_RESPONSE_STATUS.deleted },
    $or: [{ shared: { $ne: false } }, { createdBy: by.id }],
  };
  return readMany(CannedResponse, { id_project, ...readable }, { fields: CANNED_FIELDS, ...page });
};

/** Returns a response. Errors: 404, 403 for a private response of another teammate. */
export const read = async (where: CannedKey, by: Teammate): Promise<StoredCanned> => {
  const canned = requireInUse(await find(where));
  if (!canRead(canned, by)) throw notOwner();
  return canned;
};

/**
 * Creates a response. That of an agent is private unless `shared` is set; that of an admin or owner is always shared.
 */
export const create = async (
  id_project: string,
  { shared = false, ...texts }: CannedTexts & { shared?: boolean },
  by: Teammate,
) => {
  const _id = newId();
  const canned = { _id, id_project, ...texts, shared: shared || by.role !== 'agent', createdBy: by.id };
  await insertIfAbsent(() => CannedResponse.create([canned]));
  return find({ id_project, _id });
};

const updateStored = async (
  where: CannedKey,
  change: Partial<CannedTexts> & { status?: number },
): Promise<StoredCanned> => {
  const options = { returnDocument: 'after', projection: CANNED_FIELDS } as const;
  return CannedResponse.findOneAndUpdate({ ...where }, { $set: change }, options)
    .orFail(cannedNotFound)
    .lean();
};

const findChangeable = async (where: CannedKey, by: Teammate): Promise<StoredCanned> => {
  const canned = await find(where);
  if (!canChange(canned, by)) throw notOwner();
  return canned;
};

/** Updates title, text or attributes. Errors: 404, 403. */
export const update = async (where: CannedKey, patch: Partial<CannedTexts>, by: Teammate): Promise<StoredCanned> => {
  requireInUse(await findChangeable(where, by));
  return updateStored(where, patch);
};

/** Marks a response as deleted; its record stays. Errors: 404, 403. */
export const hide = async (where: CannedKey, by: Teammate): Promise<StoredCanned> => {
  requireInUse(await findChangeable(where, by));
  return updateStored(where, { status: CANNED_RESPONSE_STATUS.deleted });
};

/** Deletes the record of a response, hidden or not. Returns the number of deleted records. Errors: 404, 403. */
export const remove = async (where: CannedKey, by: Teammate): Promise<number> => {
  await findChangeable(where, by);
  return (await CannedResponse.deleteOne({ ...where })).deletedCount;
};
