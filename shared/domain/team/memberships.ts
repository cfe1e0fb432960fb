/**
 * Changes to memberships: roles, availability, disabling, trashing and deletion. A change that the actor's role does
 * not permit, or that would leave the project without an owner, is rejected.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, Types } from 'mongoose';
import { newUuid } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { withInvalidPathError } from '../../database/invalid-path.ts';
import { AppError } from '../../errors.ts';
import { Group } from '../../models/group.ts';
import { Outbox } from '../../models/outbox.ts';
import {
  ACTIVE_MEMBER,
  ProjectUser,
  type StoredMembership,
  TEAM_ROLE_TYPE,
  TEAMMATE_FIELDS,
  type UpdatedTeammate,
  updateView,
  VISITOR_ROLE_TYPE,
} from '../../models/project-user.ts';
import { roleRank } from '../../wire/roles.ts';
import { isId } from '../../wire/view.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { eventViews, membershipNotFound } from './membership-views.ts';
import { recordTeammateRemoval } from './removed-teammates.ts';

/** Identifies a membership. */
interface MembershipKey {
  id_project: string;
  _id: string;
}

/** The caller, with its role in the project. Bots, subscriptions and other callers without an account act as admins. */
interface Actor {
  kind: string;
  role?: string;
  /** Whether the client changes the availability automatically, not at the user's request. */
  isAutomatic?: boolean;
}

type MembershipFields = Record<string, unknown>;
type CurrentMembership = StoredMembership & { id_user?: Types.ObjectId | null };

interface MembershipState {
  role: string;
  status: 'active' | 'disabled';
  trashed: boolean;
}

const isOwner = ({ role, status, trashed }: MembershipState): boolean =>
  role === 'owner' && status === 'active' && !trashed;

const lastOwnerError = () =>
  new AppError(409, 'LAST_OWNER', 'This is the last owner of the project; give another teammate this role first');

/**
 * Asserts, within the transaction that removes an owner, that another active owner remains. Also writes to the other
 * owner's record: if two transactions each remove one of two owners, they conflict, and the one that is retried finds
 * no other owner.
 * Errors: 409 for the last owner.
 */
const assertOtherOwner = async ({ id_project, _id }: MembershipKey, session: ClientSession): Promise<void> => {
  const other = { id_project, _id: { $ne: _id }, role: 'owner', ...ACTIVE_MEMBER };
  const guard = { $set: { ownerGuard: randomUUID() }, $inc: { __v: 0 } };
  const options = { session, timestamps: false, projection: { _id: 1 } };
  if (!(await ProjectUser.findOneAndUpdate(other, guard, options).lean())) throw lastOwnerError();
};

const roleTooLowError = (text: string) => new AppError(403, 'ROLE_TOO_LOW', text);

const assertMayChange = (before: CurrentMembership, after: MembershipState, { kind, role = '' }: Actor): void => {
  const actorRank = kind === 'user' ? roleRank(role) : roleRank('admin');
  if (after.role !== before.role && roleRank(after.role) > actorRank)
    throw roleTooLowError('role: cannot be above your own role');
  if (before.role === 'owner' && actorRank < roleRank('owner'))
    throw roleTooLowError('Only an owner can change an owner');
};

const assertRoleChangeable = ({ role, roleType }: CurrentMembership, after: MembershipState): void => {
  if (after.role !== role && roleType === VISITOR_ROLE_TYPE)
    throw new AppError(422, 'INVALID', 'role: the role of a visitor cannot be changed');
};

interface ChangeContext {
  actor: Actor;
  session: ClientSession;
}

/**
 * Checks a change to `role`, `status` or `trashed`, or a deletion (`after` is null): the actor must be allowed to make
 * it, and an owner must remain. Also records the access change, so that every process drops the membership from its
 * cache. Does nothing if none of these fields changes.
 * Errors: 403 for a role above the actor's or a change to an owner by anyone who is not an owner, 409 for the last
 * owner, 422 for a change to a visitor's role.
 */
const checkAndRecordAccessChange = async (
  before: CurrentMembership,
  after: Partial<MembershipState> | null,
  { actor, session }: ChangeContext,
): Promise<void> => {
  const { role, status, trashed, id_project } = before;
  const next = { role, status, trashed, ...after };
  if (after && next.role === role && next.status === status && next.trashed === trashed) return;
  assertRoleChangeable(before, next);
  if (isOwner(before) && !(after && isOwner(next)))
    await assertOtherOwner({ id_project, _id: String(before._id) }, session);
  assertMayChange(before, next, actor);
  await recordAccessChange({ user: String(before.id_user ?? before.uuid_user), project: id_project }, session);
};

const findMembership = async (
  { id_project, _id }: MembershipKey,
  session: ClientSession,
): Promise<CurrentMembership> => {
  const before = isId(_id)
    ? await ProjectUser.findOne({ id_project, _id }, TEAMMATE_FIELDS, { session }).lean<CurrentMembership>()
    : null;
  if (!before) throw membershipNotFound();
  return before;
};

const AUTOMATIC_CHANGE = { availabilityInitiator: 'system' } as const;

const changedFields = (before: CurrentMembership, fields: MembershipFields): MembershipFields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(Reflect.get(before, name), value)),
  );

const updateEvents = (
  before: CurrentMembership,
  fields: MembershipFields,
  { isAutomatic = false }: { isAutomatic?: boolean } = {},
) => {
  const patch = changedFields(before, fields);
  const events: Parameters<typeof emits> = [
    'project_user.update',
    before.roleType === TEAM_ROLE_TYPE ? 'project_user.update.agent' : 'project_user.update.user',
  ];
  if (Object.keys(patch).length)
    events.push(['project_user.updated', { patch, ...(isAutomatic && 'user_available' in patch && AUTOMATIC_CHANGE) }]);
  return emits(...events);
};

const updateMembership = async (
  key: MembershipKey,
  $set: MembershipFields,
  options: { session: ClientSession },
): Promise<UpdatedTeammate> => {
  const queryOptions = { ...options, returnDocument: 'after', projection: TEAMMATE_FIELDS } as const;
  return updateView(
    await ProjectUser.findOneAndUpdate({ ...key }, { $set }, queryOptions)
      .orFail(membershipNotFound)
      .lean<StoredMembership>(),
  );
};

/**
 * Sets fields of a membership; dotted keys set individual settings.
 * Errors: 404 for an unknown membership, 422 for a dotted key that leads into a value that is not an object, otherwise
 * as in `checkAndRecordAccessChange`.
 */
export const update = (
  key: MembershipKey,
  fields: MembershipFields & Partial<MembershipState>,
  actor: Actor,
): Promise<UpdatedTeammate> =>
  withInvalidPathError(() =>
    inTransaction(async (session) => {
      const before = await findMembership(key, session);
      await checkAndRecordAccessChange(before, { ...before, ...fields }, { actor, session });
      if (!Object.keys(fields).length) return updateView(before);
      return updateMembership(key, fields, { session, ...updateEvents(before, fields, actor) });
    }),
  );

/** Disables a teammate: access and availability end. Emits no event, as clients expect. Errors: as in `update`. */
export const disable = (key: MembershipKey, actor: Actor): Promise<UpdatedTeammate> =>
  inTransaction(async (session) => {
    const before = await findMembership(key, session);
    await checkAndRecordAccessChange(before, { status: 'disabled' }, { actor, session });
    return updateMembership(key, { status: 'disabled', user_available: false }, { session });
  });

const leaveGroups = async ({ id_project, id_user }: CurrentMembership, session: ClientSession): Promise<void> => {
  if (!id_user) return;
  const member = String(id_user);
  const groups = await Group.find({ id_project, members: member }, { _id: 1 }, { session }).lean();
  for (const { _id } of groups)
    await Group.updateOne({ id_project, _id }, { $pull: { members: member } }, { session, ...emits('group.update') });
};

/**
 * Trashes a teammate within the caller's transaction: ends their access and removes them from their groups; their
 * record stays. Errors: as in `update`.
 */
export const trashInTransaction = async (
  key: MembershipKey,
  actor: Actor,
  session: ClientSession,
): Promise<UpdatedTeammate> => {
  const before = await findMembership(key, session);
  await checkAndRecordAccessChange(before, { status: 'disabled', trashed: true }, { actor, session });
  await leaveGroups(before, session);
  return updateMembership(key, { status: 'disabled', trashed: true }, { session, ...emits('project_user.delete') });
};

/** Trashes a teammate in a transaction of its own. Errors: as in `update`. */
export const trash = (key: MembershipKey, actor: Actor): Promise<UpdatedTeammate> =>
  inTransaction((session) => trashInTransaction(key, actor, session));

/** Deletes a member permanently. If a teammate returns, their statistics start from zero. Errors: as in `update`. */
export const remove = (key: MembershipKey, actor: Actor): Promise<UpdatedTeammate> =>
  inTransaction(async (session) => {
    const before = await findMembership(key, session);
    await checkAndRecordAccessChange(before, null, { actor, session });
    await leaveGroups(before, session);
    const [member] = await eventViews([before]);
    const view = { ...member, deleteType: 'hard' };
    const { id_project, _id: record } = key;
    await ProjectUser.deleteOne({ ...key }, { session });
    if (before.id_user) await recordTeammateRemoval(id_project, String(before.id_user), session);
    await Outbox.create([{ id_project, record, view }], { session, ...emits('project_user.delete') });
    return updateView(before);
  });

/** Restores a trashed or disabled teammate. Errors: 400 for any other teammate, otherwise as in `update`. */
export const restore = (key: MembershipKey, actor: Actor): Promise<UpdatedTeammate> =>
  inTransaction(async (session) => {
    const before = await findMembership(key, session);
    if (!before.trashed && before.status === 'active')
      throw new AppError(400, 'NOT_TRASHED', 'The teammate is neither trashed nor disabled');
    await checkAndRecordAccessChange(before, ACTIVE_MEMBER, { actor, session });
    return updateMembership(key, ACTIVE_MEMBER, { session, ...updateEvents(before, ACTIVE_MEMBER) });
  });

/** Adds a visitor for whom teammates can open conversations. */
export const addVisitor = async (id_project: string, tags: object[], createdBy: string): Promise<UpdatedTeammate> => {
  const visitor = { uuid_user: newUuid(), role: 'guest', roleType: VISITOR_ROLE_TYPE, user_available: false };
  const member = { id_project, ...visitor, tags, createdBy };
  await insertIfAbsent(() => ProjectUser.create([member], emits('projectuser.create')));
  const filter = { id_project, uuid_user: visitor.uuid_user };
  return updateView(await ProjectUser.findOne(filter, TEAMMATE_FIELDS).orFail().lean<StoredMembership>());
};
