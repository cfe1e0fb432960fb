/** Changing who is in a project and what they may do: whoever has no right to it, and whatever would leave no owner, is refused. */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Types } from 'mongoose';
import { newUuid } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import { Group } from '../../models/group.ts';
import { Outbox } from '../../models/outbox.ts';
import { ProjectUser, TEAM, VISITOR } from '../../models/project-user.ts';
import { inTransaction, makeOnce } from '../../mongo.ts';
import { isId } from '../../view.ts';
import { accessChanged } from '../access/access.ts';
import { type Changed, changed, FIELDS, type Stored, told } from './members.ts';

/** Roles by how much they may. */
const POWER = ['guest', 'user', 'agent', 'admin', 'owner'];
const powerOf = (role: string): number => POWER.indexOf(role);

/** A membership by its project and id. */
interface Where {
  id_project: string;
  _id: string;
}

/** Who changes it, with the role it has in the project; the project's own systems act as admins. */
interface Doer {
  kind: string;
  role?: string;
  /** A client that changes the availability by itself says so. */
  isAutomatic?: boolean;
}

type Fields = Record<string, unknown>;
type Before = Pick<
  Stored,
  '_id' | 'id_project' | 'role' | 'roleType' | 'status' | 'trashed' | 'uuid_user' | 'user_available'
> & {
  id_user?: Types.ObjectId | null;
};

interface Standing {
  role: string;
  status: 'active' | 'disabled';
  trashed: boolean;
}

const isOwner = ({ role, status, trashed }: Standing): boolean => role === 'owner' && status === 'active' && !trashed;

const lastOwner = () => new AppError(409, 'LAST_OWNER', 'This is the last owner: make somebody else one first');

/**
 * Part of the transaction that takes an owner's power: another one keeps it. That one's record is written, so that a
 * transaction which takes its power at the same time fails and is run again, and finds no other owner then.
 */
const keepAnOwner = async ({ id_project, _id }: Where, session: ClientSession): Promise<void> => {
  const other = { id_project, _id: { $ne: _id }, role: 'owner', status: 'active' as const, trashed: false };
  const vouched = { $set: { vouched: randomUUID() }, $inc: { __v: 0 } };
  const options = { session, timestamps: false, projection: { _id: 1 } };
  if (!(await ProjectUser.findOneAndUpdate(other, vouched, options).lean())) throw lastOwner();
};

const forbidden = (text: string) => new AppError(403, 'ROLE_TOO_LOW', text);

const mayStandSo = (before: Before, after: Standing, { kind, role = '' }: Doer): void => {
  const power = kind === 'user' ? powerOf(role) : powerOf('admin');
  if (after.role !== before.role && powerOf(after.role) > power)
    throw forbidden('role: nobody gives a role above their own');
  if (before.role === 'owner' && power < powerOf('owner')) throw forbidden('Only an owner changes an owner');
};

const checkRole = ({ role, roleType }: Before, after: Standing): void => {
  if (after.role !== role && roleType === VISITOR)
    throw new AppError(422, 'INVALID', 'role: a visitor has none to change');
};

interface Doing {
  by: Doer;
  session: ClientSession;
}

/** Where somebody's standing changes, or ends by `null`: it is allowed, an owner is left, and everybody who knows of it is told. */
const restand = async (before: Before, after: Partial<Standing> | null, { by, session }: Doing): Promise<void> => {
  const { role, status, trashed, id_project } = before;
  const next = { role, status, trashed, ...after };
  if (after && next.role === role && next.status === status && next.trashed === trashed) return;
  checkRole(before, next);
  if (isOwner(before) && !(after && isOwner(next))) await keepAnOwner({ id_project, _id: String(before._id) }, session);
  mayStandSo(before, next, by);
  await accessChanged({ user: String(before.id_user ?? before.uuid_user), project: id_project }, session);
};

const missing = () => new AppError(404, 'NOT_FOUND', 'Project_user not found');

const found = async ({ id_project, _id }: Where, session: ClientSession): Promise<Stored & Before> => {
  const before = isId(_id)
    ? await ProjectUser.findOne({ id_project, _id }, FIELDS, { session }).lean<Stored & Before>()
    : null;
  if (!before) throw missing();
  return before;
};

/** The code of an update that would set a field of a text or a number. */
const NO_OBJECT = 28;

const inMembership = async <T>(work: (session: ClientSession) => Promise<T>): Promise<T> => {
  try {
    return await inTransaction(work);
  } catch (error) {
    if ((error as { code?: number }).code === NO_OBJECT)
      throw new AppError(422, 'INVALID', 'settings: a dotted key leads into what is no object');
    throw error;
  }
};

const AUTOMATIC = { availabilityInitiator: 'system' } as const;

const updated = (
  { roleType, user_available: was }: Before,
  { user_available: is = was }: Fields = {},
  { isAutomatic = false }: { isAutomatic?: boolean } = {},
) => {
  const told: Parameters<typeof emits> = [
    'project_user.update',
    roleType === TEAM ? 'project_user.update.agent' : 'project_user.update.user',
  ];
  if (is !== was)
    told.push(['project_user.update.availability', { user_available: is === true, ...(isAutomatic && AUTOMATIC) }]);
  return emits(...told);
};

const write = async (where: Where, $set: Fields, options: { session: ClientSession }): Promise<Changed> => {
  const shown = { ...options, returnDocument: 'after', projection: FIELDS } as const;
  return changed(
    await ProjectUser.findOneAndUpdate({ ...where }, { $set }, shown)
      .orFail(missing)
      .lean<Stored>(),
  );
};

/** Set fields of a membership, settings by dotted names too; what is not given stays (contract a 6.3). */
export const update = (where: Where, fields: Fields & Partial<Standing>, by: Doer): Promise<Changed> =>
  inMembership(async (session) => {
    const before = await found(where, session);
    await restand(before, { ...before, ...fields }, { by, session });
    if (!Object.keys(fields).length) return changed(before);
    return write(where, fields, { session, ...updated(before, fields, by) });
  });

/** Disable a teammate: nothing but its access and its availability ends (contract 3.1). */
export const disable = (where: Where, by: Doer): Promise<Changed> =>
  inMembership(async (session) => {
    const before = await found(where, session);
    await restand(before, { status: 'disabled' }, { by, session });
    return write(where, { status: 'disabled', user_available: false }, { session });
  });

const leaveGroups = async ({ id_project, id_user }: Before, session: ClientSession): Promise<void> => {
  if (!id_user) return;
  const member = String(id_user);
  const groups = await Group.find({ id_project, members: member }, { _id: 1 }, { session }).lean();
  for (const { _id } of groups)
    await Group.updateOne({ id_project, _id }, { $pull: { members: member } }, { session, ...emits('group.update') });
};

/** Part of a transaction: put a teammate out of sight and out of its groups; its record stays. */
export const trashWithin = async (where: Where, by: Doer, session: ClientSession): Promise<Changed> => {
  const before = await found(where, session);
  await restand(before, { status: 'disabled', trashed: true }, { by, session });
  await leaveGroups(before, session);
  return write(where, { status: 'disabled', trashed: true }, { session, ...emits('project_user.delete') });
};

/** The same in a transaction of its own. */
export const trash = (where: Where, by: Doer): Promise<Changed> =>
  inMembership((session) => trashWithin(where, by, session));

/** Remove a teammate for good; its figures go with it (decision 51). */
export const remove = (where: Where, by: Doer): Promise<Changed> =>
  inMembership(async (session) => {
    const before = await found(where, session);
    await restand(before, null, { by, session });
    await leaveGroups(before, session);
    const [shown] = await told([before]);
    const { id_project, _id: record } = where;
    await ProjectUser.deleteOne({ ...where }, { session });
    await Outbox.create([{ id_project, record, shown }], { session, ...emits('project_user.delete') });
    return changed(before);
  });

/** Undo trashing and disabling (decision 14); 400 for somebody who is neither. */
export const restore = (where: Where, by: Doer): Promise<Changed> =>
  inMembership(async (session) => {
    const before = await found(where, session);
    if (!before.trashed && before.status === 'active')
      throw new AppError(400, 'NOT_TRASHED', 'The teammate is neither trashed nor disabled');
    await restand(before, { status: 'active', trashed: false }, { by, session });
    return write(where, { status: 'active', trashed: false }, { session, ...updated(before) });
  });

/** A visitor for whom somebody else writes, as with tickets (contract a 6.3). */
export const addVisitor = async (id_project: string, tags: object[], createdBy: string): Promise<Changed> => {
  const visitor = { uuid_user: newUuid(), role: 'guest', roleType: VISITOR, user_available: false };
  const member = { id_project, ...visitor, tags, createdBy };
  await makeOnce(() => ProjectUser.create([member], emits('projectuser.create')));
  const { uuid_user } = visitor;
  return changed(await ProjectUser.findOne({ id_project, uuid_user }, FIELDS).orFail().lean<Stored>());
};
