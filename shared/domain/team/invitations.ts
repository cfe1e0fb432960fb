/**
 * Invitations to a project. If there is an account that has verified the invited address, or that need not verify it
 * (`isAddressOwner`, see access/address-proof.ts), it becomes a member immediately. Otherwise, the invitation stays
 * pending until there is such an account.
 */
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { links } from '../../mail/links.ts';
import { PendingInvitation } from '../../models/pending-invitation.ts';
import {
  ProjectUser,
  type StoredMembership,
  TEAM_ROLE_TYPE,
  TEAMMATE_FIELDS,
  type UpdatedTeammate,
  updateView,
} from '../../models/project-user.ts';
import { storeWithinBudget } from '../mails/budget.ts';
import * as mails from '../mails/mail-queue.ts';
import { addMember, alreadyMemberError, findAccount, findActiveMember } from './accept-invitations.ts';
import { membershipNotFound } from './membership-views.ts';
import {
  createPendingInvitation,
  invitationNotFound,
  type Invitee,
  type Inviter,
  selfInvitationError,
} from './pending-invitations.ts';
import { invitationMailValues } from './invitation-mail.ts';

/** Reads a membership. Throws 404 if it was deleted in the meantime. */
const readMembership = async (id_project: string, id_user: string): Promise<UpdatedTeammate> =>
  updateView(
    await ProjectUser.findOne({ id_project, id_user }, TEAMMATE_FIELDS)
      .orFail(membershipNotFound)
      .lean<StoredMembership>(),
  );

type KnownInvitee = Invitee & { id_user: string };

const inviteAccount = async (
  id_project: string,
  { id_user, email, role, user_available }: KnownInvitee,
  inviter: Inviter,
) => {
  const values = { ...(await invitationMailValues(id_project, role, inviter)), link: links.signIn() };
  const member = { _id: newId(), id_project, id_user, role, user_available, createdBy: inviter.id };
  const storeMember = () =>
    inTransaction(async (session) => {
      if (!(await addMember(member, session))) return { mailIds: [] };
      await PendingInvitation.deleteOne({ id_project, email }, { session });
      return { mailIds: await mails.createMail({ template: 'beenInvitedExistingUser', to: email, values }, session) };
    });
  const { mailIds } = await storeWithinBudget(id_project, storeMember);
  await mails.enqueueMails(mailIds);
  return readMembership(id_project, id_user);
};

type StoredInvitation = NonNullable<Awaited<ReturnType<typeof createPendingInvitation>>>;

/** Converts a pending invitation to the form of a disabled teammate. */
const invitationAsTeammate = (pending: StoredInvitation): UpdatedTeammate => {
  const { _id, id_project, role, user_available, createdBy, createdAt, updatedAt, __v } = pending;
  const state = { roleType: TEAM_ROLE_TYPE, status: 'disabled' as const, trashed: false, number_assigned_requests: 0 };
  const lists = { tags: [], permissions: [] };
  const times = { createdAt, updatedAt, __v };
  return updateView({ _id, id_project, role, user_available, createdBy, ...state, ...lists, ...times });
};

/** Reads the membership of an invitation that was accepted in the meantime. */
const readAcceptedMembership = async (id_project: string, email: string): Promise<UpdatedTeammate> => {
  const account = await findAccount(email);
  if (!account) throw invitationNotFound();
  return readMembership(id_project, account.id);
};

const PENDING_MESSAGE = 'The person was invited and will become a member once an account owns this email address';

/**
 * Invites a person by email. Returns the new membership or, if no account can accept the invitation yet, a pending
 * invitation in the form of a membership.
 * Errors: 403 for the inviter's own address, 404 if the new membership is deleted in the meantime, 409 for a member or
 * an invited address, 429 if the project's mail budget is used up.
 */
export const invite = async (id_project: string, invitee: Invitee, inviter: Inviter) => {
  if (invitee.email === inviter.email) throw selfInvitationError();
  const account = await findAccount(invitee.email);
  if (account?.isAddressOwner) return inviteAccount(id_project, { ...invitee, id_user: account.id }, inviter);
  if (account && (await findActiveMember(id_project, account.id))) throw alreadyMemberError();
  const pendingInvitation = await createPendingInvitation(id_project, invitee, inviter);
  if (!pendingInvitation) return readAcceptedMembership(id_project, invitee.email);
  return { ...invitationAsTeammate(pendingInvitation), msg: PENDING_MESSAGE, pendingInvitation };
};
