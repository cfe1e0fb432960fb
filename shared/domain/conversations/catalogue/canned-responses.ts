/** Canned responses: texts that teammates reuse. A response is shared with the team or private to its author. */
import type { z } from 'zod';
import { newId } from '../../../context.ts';
import { insertIfAbsent } from '../../../database/unique-keys.ts';
import { readMany, readOne } from '../../../database/raw-read.ts';
import { AppError, notFound } from '../../../errors.ts';
import { CANNED_RESPONSE_STATUS, CannedResponse, CannedResponseView } from '../../../models/canned-response.ts';
import { isId, projectionOf } from '../../../wire/view.ts';

const CANNED_FIELDS = projectionOf(CannedResponseView);

type StoredCanned = z.input<typeof CannedResponseView>;

export interface CallingTeammate {
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
const notOwnerError = () => new AppError(403, 'NOT_OWNER', 'This canned response belongs to another teammate');

const canRead = ({ shared, createdBy }: StoredCanned, { id }: CallingTeammate): boolean =>
  shared !== false || createdBy === id;

/** Agents can change only their own responses. Admins and owners can also change all shared responses. */
const canChange = (canned: StoredCanned, actor: CallingTeammate): boolean =>
  actor.role === 'agent' ? canned.createdBy === actor.id : canRead(canned, actor);

const find = async ({ id_project, _id }: CannedKey): Promise<StoredCanned> => {
  const canned = isId(_id) ? await readOne(CannedResponse, { id_project, _id }, CANNED_FIELDS) : null;
  if (!canned) throw cannedNotFound();
  return canned;
};

const requireNotHidden = (canned: StoredCanned): StoredCanned => {
  if (canned.status >= CANNED_RESPONSE_STATUS.deleted) throw cannedNotFound();
  return canned;
};

/** Returns a page of the responses that the teammate can read: all shared responses, and the teammate's own. */
export const list = (
  id_project: string,
  actor: CallingTeammate,
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
) => {
  const readable = {
    status: { $lt: CANNED_RESPONSE_STATUS.deleted },
    $or: [{ shared: { $ne: false } }, { createdBy: actor.id }],
  };
  return readMany(CannedResponse, { id_project, ...readable }, { fields: CANNED_FIELDS, ...page });
};

/** Returns a response. Errors: 403 for a private response of another teammate, 404 for an unknown response. */
export const read = async (key: CannedKey, actor: CallingTeammate): Promise<StoredCanned> => {
  const canned = requireNotHidden(await find(key));
  if (!canRead(canned, actor)) throw notOwnerError();
  return canned;
};

/**
 * Creates a response. A response by an agent is private unless `shared` is set. A response by an admin or owner is
 * always shared.
 */
export const create = async (
  id_project: string,
  { shared = false, ...texts }: CannedTexts & { shared?: boolean },
  actor: CallingTeammate,
) => {
  const _id = newId();
  const canned = { _id, id_project, ...texts, shared: shared || actor.role !== 'agent', createdBy: actor.id };
  await insertIfAbsent(() => CannedResponse.create([canned]));
  return find({ id_project, _id });
};

const updateStored = async (
  key: CannedKey,
  change: Partial<CannedTexts> & { status?: number },
): Promise<StoredCanned> => {
  const options = { returnDocument: 'after', projection: CANNED_FIELDS } as const;
  return CannedResponse.findOneAndUpdate({ ...key }, { $set: change }, options)
    .orFail(cannedNotFound)
    .lean();
};

const findChangeable = async (key: CannedKey, actor: CallingTeammate): Promise<StoredCanned> => {
  const canned = await find(key);
  if (!canChange(canned, actor)) throw notOwnerError();
  return canned;
};

/** Updates a response. Errors: 403 if the teammate cannot change the response, 404 for an unknown response. */
export const update = async (
  key: CannedKey,
  patch: Partial<CannedTexts>,
  actor: CallingTeammate,
): Promise<StoredCanned> => {
  requireNotHidden(await findChangeable(key, actor));
  return updateStored(key, patch);
};

/** Marks a response as deleted, but keeps its record. Errors: as in `update`. */
export const hide = async (key: CannedKey, actor: CallingTeammate): Promise<StoredCanned> => {
  requireNotHidden(await findChangeable(key, actor));
  return updateStored(key, { status: CANNED_RESPONSE_STATUS.deleted });
};

/**
 * Deletes the record of a response, even if the response is already marked as deleted. Returns the number of deleted
 * records. Errors: as in `update`.
 */
export const remove = async (key: CannedKey, actor: CallingTeammate): Promise<number> => {
  await findChangeable(key, actor);
  return (await CannedResponse.deleteOne({ ...key })).deletedCount;
};
