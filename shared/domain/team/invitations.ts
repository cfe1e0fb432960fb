/**
 * Invitations to a project. If an account counts as the owner of the invited address, it becomes a member at once;
 * otherwise the invitation stays pending until there is such an account.
 */
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { AppError, notFound } from '../../errors.ts';
import { links } from '../../mail/links.ts';
import { PendingInvitation, PendingInvitationView } from '../../models/pending-invitation.ts';
import { Project } from '../../models/project.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '../../models/project-user.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { isInvitationSecret, parseInvitationId } from '../access/invitation-secret.ts';
import { chargeMails } from '../mails/budget.ts';
import * as mails from '../mails/mail-queue.ts';
import {
  acceptInvitations,
  addMember,
  alreadyMemberError,
  findAccount,
  type InvitedRole,
  findActiveMember,
  alreadyMemberErrorWith,
} from './accept-invitations.ts';
import { type StoredMembership, TEAMMATE_FIELDS, type UpdatedTeammate, updateView } from './membership-views.ts';

/** The invited person; `email` in lower case. */
export interface Invitee {
  email: string;
  role: InvitedRole;
  user_available: boolean;
  firstname?: string;
  lastname?: string;
}

/** The teammate who invites. */
export interface Inviter {
  id: string;
  email?: string;
  fullname?: string;
}

/** The projection of a pending invitation. */
export const INVITATION_FIELDS = projectionOf(PendingInvitationView);

export const invitationNotFound = () => notFound('Pending invitation not found');
export const selfInvitationError = () => alreadyMemberErrorWith(403, 'You are already a member of this project', 4000);

/** Returns the values of the invitation mail's template. */
export const invitationMailValues = async (id_project: string, role: string, { fullname, email = '' }: Inviter) => {
  const project = await Project.findOne({ _id: id_project }, { name: 1 }).lean();
  return { project: project?.name ?? '', role, inviter: fullname || email };
};

const readMembership = async (id_project: string, id_user: string): Promise<UpdatedTeammate> =>
  updateView(
    await ProjectUser.findOne({ id_project, id_user }, TEAMMATE_FIELDS)
      .orFail(alreadyMemberError)
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
  const mailId = await inTransaction(async (session) => {
    if (!(await addMember(member, session))) return null;
    await PendingInvitation.deleteOne({ id_project, email }, { session });
    return mails.createMail({ template: 'beenInvitedExistingUser', to: email, values }, session);
  });
  if (mailId) await mails.enqueueMail(mailId);
  return readMembership(id_project, id_user);
};

/** Builds the 409 for an e-mail that has a pending invitation, with that invitation in its body. */
export const alreadyInvitedError = async (id_project: string, email: string): Promise<AppError> => {
  const pending = await PendingInvitation.find({ id_project, email }, INVITATION_FIELDS).lean();
  const body = { pendinginvitation: pending };
  return new AppError(409, 'ALREADY_INVITED', 'The person is already invited to this project').with({ body });
};

type NewInvitation = Invitee & { _id: string; id_project: string };

const createInvitation = ({ id_project, ...invitee }: NewInvitation, inviter: Inviter) =>
  inTransaction(async (session) => {
    const record = { id_project, ...invitee, createdBy: inviter.id };
    await PendingInvitation.create([record], { session, ...emits('project_user.invite.pending') });
    const values = { ...(await invitationMailValues(id_project, invitee.role, inviter)), invitation: invitee._id };
    return mails.createMail({ template: 'beenInvitedNewUser', to: invitee.email, values }, session);
  });

/**
 * Stores an invitation and sends its mail. Does nothing if an earlier attempt has stored it with this `_id`.
 * Errors: 409 if another invitation is pending for the e-mail.
 */
const createInvitationOnce = async (pending: NewInvitation, inviter: Inviter): Promise<void> => {
  try {
    await mails.enqueueMail(await createInvitation(pending, inviter));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const { _id, id_project, email } = pending;
    if (!(await PendingInvitation.exists({ _id, id_project }))) throw await alreadyInvitedError(id_project, email);
  }
};

/**
 * Creates a pending invitation and sends its mail. Returns null if the invitation was accepted in the meantime.
 * Errors: 409 if another invitation is pending for the e-mail.
 */
export const createPendingInvitation = async (id_project: string, invitee: Invitee, inviter: Inviter) => {
  const _id = newId();
  await createInvitationOnce({ _id, id_project, ...invitee }, inviter);
  const pending = await PendingInvitation.findOne({ id_project, _id }, INVITATION_FIELDS).lean();
  // The address may have been verified just before the invitation was stored; that verification missed the invitation.
  await acceptInvitations(invitee);
  return pending;
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

const PENDING_MESSAGE = 'The person was invited and becomes a member once an account has verified this e-mail address';

/**
 * Invites a person by e-mail. Returns the new membership or, if no account counts as the owner of the address, a
 * pending invitation in the form of a membership.
 * Errors: 403 for the inviter's own address, 409 for a member or an invited address, 429 if the project's mail budget
 * is used up.
 */
export const invite = async (id_project: string, invitee: Invitee, inviter: Inviter) => {
  if (invitee.email === inviter.email) throw selfInvitationError();
  await chargeMails(id_project, 1);
  const account = await findAccount(invitee.email);
  if (account?.isAddressOwner) return inviteAccount(id_project, { ...invitee, id_user: account.id }, inviter);
  if (account && (await findActiveMember(id_project, account.id))) throw alreadyMemberError();
  const pendingInvitation = await createPendingInvitation(id_project, invitee, inviter);
  if (!pendingInvitation) return readAcceptedMembership(id_project, invitee.email);
  return { ...invitationAsTeammate(pendingInvitation), msg: PENDING_MESSAGE, pendingInvitation };
};

/** Lists the project's pending invitations, newest first. */
export const list = (id_project: string) =>
  PendingInvitation.find({ id_project }, INVITATION_FIELDS).sort({ _id: -1 }).lean();

/** Reads a pending invitation. Errors: 404 for an unknown one. */
export const read = async (id_project: string, _id: string) => {
  if (!isId(_id)) throw invitationNotFound();
  return PendingInvitation.findOne({ id_project, _id }, INVITATION_FIELDS).orFail(invitationNotFound).lean();
};

/**
 * Reads a pending invitation by its secret or its id.
 * Errors: 404 for an unknown one, or for a secret whose HMAC is wrong.
 */
export const readBySecret = async (secret: string) => {
  const invitation = isId(secret) ? secret : parseInvitationId(secret);
  if (!invitation) throw invitationNotFound();
  const pending = await PendingInvitation.findOne({ _id: invitation }, INVITATION_FIELDS, { anyProject: true })
    .orFail(invitationNotFound)
    .lean();
  const { email } = pending;
  if (secret !== invitation && !isInvitationSecret(secret, { invitation, email })) throw invitationNotFound();
  return pending;
};

/** Sends the mail of a pending invitation again. Errors: 404 for an unknown one, 429 for too many mails. */
export const resend = async (id_project: string, _id: string, inviter: Inviter) => {
  const pending = await read(id_project, _id);
  await mails.assertMailRate('beenInvitedNewUser', pending.email);
  await chargeMails(id_project, 1);
  const values = { ...(await invitationMailValues(id_project, pending.role, inviter)), invitation: _id };
  await mails.queueMail({ template: 'beenInvitedNewUser', to: pending.email, values });
  return pending;
};

/** Withdraws a pending invitation. Errors: 404 for an unknown one. */
export const withdraw = async (id_project: string, _id: string): Promise<void> => {
  await read(id_project, _id);
  await PendingInvitation.deleteOne({ id_project, _id });
};
