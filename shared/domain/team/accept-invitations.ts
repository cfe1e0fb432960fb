/** Accepts invitations: an account becomes a member of the projects that invited its email address. */
import type { ClientSession, Types } from 'mongoose';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { emits } from '../../events.ts';
import { AppError } from '../../errors.ts';
import { PendingInvitation } from '../../models/pending-invitation.ts';
import { ACTIVE_MEMBER, ProjectUser, TEAM_ROLE_TYPE } from '../../models/project-user.ts';
import { ACCOUNT_ACTIVE, User } from '../../models/user.ts';
import { currentTime } from '../../time/clock.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { ownsAddress } from '../access/address-proof.ts';
import { isInvitationSecret, parseInvitationId } from '../access/invitation-secret.ts';

/** Roles that an invitation can grant. */
export type InvitedRole = 'admin' | 'agent';

/** Builds the error for a person who is already a member, with the numeric `code` that deployed clients read. */
export const alreadyMemberErrorWith = (status: number, text: string, code: number) =>
  new AppError(status, 'ALREADY_MEMBER', text).with({ body: { code } });
export const alreadyMemberError = () =>
  alreadyMemberErrorWith(409, 'The person is already a member of this project', 4001);

/**
 * Finds the active account with this email address. `isAddressOwner`: whether the account has verified the address or
 * need not verify it (see access/address-proof.ts).
 */
export const findAccount = async (email: string): Promise<{ id: string; isAddressOwner: boolean } | null> => {
  const user = await User.findOne({ email, status: ACCOUNT_ACTIVE }, { emailverified: 1 }).lean();
  return user && { id: String(user._id), isAddressOwner: ownsAddress(user) };
};

/** Finds a user's active membership in the project, with its `_id` only; null if it is disabled, trashed or absent. */
export const findActiveMember = (id_project: string, id_user: string) =>
  ProjectUser.exists({ id_project, id_user, ...ACTIVE_MEMBER });

interface NewMembership {
  _id: string;
  id_project: string;
  id_user: string;
  role: InvitedRole;
  user_available: boolean;
  createdBy: string;
}

/**
 * Adds or restores a member within the caller's transaction. Returns false if an earlier attempt with this `_id` has
 * already added the member.
 * Errors: 409 for an active member.
 */
export const addMember = async (
  { _id, id_project, id_user, ...member }: NewMembership,
  session: ClientSession,
): Promise<boolean> => {
  const existing = await ProjectUser.findOne({ id_project, id_user }, { status: 1, trashed: 1 }, { session }).lean();
  if (String(existing?._id) === _id) return false;
  if (existing?.status === 'active' && !existing.trashed) throw alreadyMemberError();
  const state = { ...member, roleType: TEAM_ROLE_TYPE, ...ACTIVE_MEMBER };
  const { createdBy: _, ...restored } = state;
  const options = { session, ...emits('project_user.invite') };
  if (existing) await ProjectUser.updateOne({ id_project, _id: existing._id }, { $set: restored }, options);
  else await ProjectUser.create([{ _id, id_project, id_user, ...state, last_login_at: currentTime() }], options);
  await recordAccessChange({ user: id_user, project: id_project }, session);
  return true;
};

const anyProject = { anyProject: true };

/** Returns whether any project has a pending invitation for this email address. */
export const isInvited = async (email: string): Promise<boolean> =>
  (await PendingInvitation.findOne({ email }, { _id: 1 }, anyProject).lean()) !== null;

/**
 * Returns whether this is the secret of a pending invitation to this address. The secret was sent only to the address,
 * so a person who knows the secret can read email sent to the address.
 */
export const isAddressProof = async (secret: string, email: string): Promise<boolean> => {
  const invitation = parseInvitationId(secret);
  if (!invitation || !isInvitationSecret(secret, { invitation, email })) return false;
  return (await PendingInvitation.findOne({ _id: invitation, email }, { _id: 1 }, anyProject).lean()) !== null;
};

type InvitationKey = { _id: Types.ObjectId; id_project: string };

const acceptInvitation = (id_user: string, { _id: invitationId, id_project }: InvitationKey, _id = newId()) =>
  inTransaction(async (session) => {
    const pending = await PendingInvitation.findOneAndDelete({ id_project, _id: invitationId }, { session }).lean();
    if (!pending || (await findActiveMember(id_project, id_user).session(session))) return;
    const { user_available, createdBy } = pending;
    const role = pending.role as InvitedRole;
    await addMember({ _id, id_project, id_user, role, user_available, createdBy }, session);
  });

/**
 * Accepts all pending invitations for an email address if an account has verified the address or need not verify it;
 * otherwise they stay pending.
 */
export const acceptInvitations = async ({ email }: { email: string }): Promise<void> => {
  const invitations = await PendingInvitation.find({ email }, { id_project: 1 }, anyProject).lean();
  if (!invitations.length) return;
  const account = await findAccount(email);
  if (!account?.isAddressOwner) return;
  for (const pending of invitations) await acceptInvitation(account.id, pending);
};
