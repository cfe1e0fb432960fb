/**
 * Pending invitations: invitations that no account can accept yet. If an account has verified an address or need not
 * verify it, no pending invitation can be created for that address or moved to it. Only admins and owners can invite
 * admins.
 */
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { AppError, notFound } from '../../errors.ts';
import { PendingInvitation, PendingInvitationView } from '../../models/pending-invitation.ts';
import { ADMIN_ROLES } from '../../wire/roles.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { isInvitationSecret, parseInvitationId } from '../access/invitation-secret.ts';
import { chargeMails, storeWithinBudget } from '../mails/budget.ts';
import * as mails from '../mails/mail-queue.ts';
import {
  acceptInvitations,
  alreadyMemberError,
  alreadyMemberErrorWith,
  findAccount,
  findActiveMember,
  type InvitedRole,
} from './accept-invitations.ts';
import { INVITATION_TEMPLATE, pendingInvitationMail } from './invitation-mail.ts';

/** The invited person. `email` is in lower case. */
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

/** The teammate who invites, with their role in the project. */
type InvitingTeammate = Inviter & { role?: string };

/** The fields of an invitation to update; absent fields are unchanged. */
type InvitationUpdate = Pick<Invitee, 'email' | 'role'> & Partial<Invitee>;

interface InvitationKey {
  id_project: string;
  _id: string;
}

const INVITATION_FIELDS = projectionOf(PendingInvitationView);

export const invitationNotFound = () => notFound('Pending invitation not found');
export const selfInvitationError = () => alreadyMemberErrorWith(403, 'You are already a member of this project', 4000);

/** Lists the project's pending invitations, newest first. */
export const list = (id_project: string) =>
  PendingInvitation.find({ id_project }, INVITATION_FIELDS).sort({ _id: -1 }).lean();

/** Reads a pending invitation. Errors: 404 for an unknown invitation. */
export const read = async (id_project: string, _id: string) => {
  if (!isId(_id)) throw invitationNotFound();
  return PendingInvitation.findOne({ id_project, _id }, INVITATION_FIELDS).orFail(invitationNotFound).lean();
};

/**
 * Reads a pending invitation by its secret, which consists of the id and an HMAC, or by its id alone.
 * Errors: 404 for an unknown invitation, or for a secret whose HMAC is wrong.
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

/**
 * Builds the 409 error for an email address that has a pending invitation. The body of the error contains the
 * invitation.
 */
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
    return { mailIds: await mails.createMail(await pendingInvitationMail(record, record, inviter), session) };
  });

/**
 * Stores an invitation and enqueues its email. Does nothing if an earlier attempt has stored it with this `_id`.
 * Errors: 409 if another invitation is pending for the email address, 429 if the project's mail budget is used up.
 */
const createInvitationOnce = async (pending: NewInvitation, inviter: Inviter): Promise<void> => {
  try {
    const { mailIds } = await storeWithinBudget(pending.id_project, () => createInvitation(pending, inviter));
    await mails.enqueueMails(mailIds);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const { _id, id_project, email } = pending;
    if (!(await PendingInvitation.exists({ _id, id_project }))) throw await alreadyInvitedError(id_project, email);
  }
};

/**
 * Accepts a new invitation if the address was verified just before the invitation was stored: that verification has
 * missed the invitation. Returns the invitation; null if it was accepted.
 */
const acceptOrRead = async ({ id_project, _id }: InvitationKey, email: string) => {
  await acceptInvitations({ email });
  return PendingInvitation.findOne({ id_project, _id }, INVITATION_FIELDS).lean();
};

/**
 * Creates a pending invitation and enqueues its email. Returns null if the invitation was accepted in the meantime.
 * Errors: 409 if another invitation is pending for the email address, 429 if the project's mail budget is used up.
 */
export const createPendingInvitation = async (id_project: string, invitee: Invitee, inviter: Inviter) => {
  const _id = newId();
  await createInvitationOnce({ _id, id_project, ...invitee }, inviter);
  return acceptOrRead({ id_project, _id }, invitee.email);
};

const assertRoleAllowed = (role: string, inviter: InvitingTeammate): void => {
  if (role !== 'admin' || ADMIN_ROLES.some((adminRole) => adminRole === inviter.role)) return;
  throw new AppError(403, 'ROLE_TOO_LOW', 'role must be agent: only an admin or an owner can invite an admin');
};

const hasAccountError = () => {
  const text = 'email belongs to an account that can become a member immediately: use POST project_users/invite';
  return new AppError(409, 'ACCOUNT_EXISTS', text);
};

/**
 * Throws for an email address that cannot have a pending invitation: 403 for the inviter's own, 409 for the
 * address of a member or of an account that can become a member immediately.
 */
const assertInvitable = async (id_project: string, email: string, inviter: InvitingTeammate): Promise<void> => {
  if (email === inviter.email) throw selfInvitationError();
  const account = await findAccount(email);
  if (!account) return;
  if (await findActiveMember(id_project, account.id)) throw alreadyMemberError();
  if (account.isAddressOwner) throw hasAccountError();
};

/**
 * Creates a pending invitation and enqueues its email.
 * Errors: 403 for a role above the inviter's or for the inviter's own email address, 409 for the address of a
 * member, of another pending invitation or of an account that can become a member immediately, 429 if the project's
 * mail budget is used up.
 */
export const create = async (id_project: string, invitee: Invitee, inviter: InvitingTeammate) => {
  assertRoleAllowed(invitee.role, inviter);
  await assertInvitable(id_project, invitee.email, inviter);
  const pending = await createPendingInvitation(id_project, invitee, inviter);
  if (!pending) throw alreadyMemberError();
  return pending;
};

const updateInvitation = (key: InvitationKey, $set: object, options: object) =>
  PendingInvitation.findOneAndUpdate(
    { ...key },
    { $set },
    { ...options, returnDocument: 'after', projection: INVITATION_FIELDS },
  )
    .orFail(invitationNotFound)
    .lean();

/**
 * Moves the invitation to another address and enqueues its email. The secret in the email to the previous address
 * becomes invalid; if that email is still waiting, it is not sent. Returns null if the invitation was accepted in the
 * meantime.
 */
const changeEmail = async (key: InvitationKey, changes: InvitationUpdate, inviter: InvitingTeammate) => {
  const mail = await pendingInvitationMail(key, changes, inviter);
  const moveInvitation = () =>
    inTransaction(async (session) => {
      const options = { session, ...emits('project_user.invite.pending') };
      await updateInvitation(key, { ...changes, createdBy: inviter.id }, options);
      return { mailIds: await mails.createMail(mail, session) };
    });
  const { mailIds } = await storeWithinBudget(key.id_project, moveInvitation);
  await mails.enqueueMails(mailIds);
  return acceptOrRead(key, changes.email);
};

/**
 * Updates a pending invitation. If the address changes, enqueues the email to the new address.
 * Errors: 404 for an unknown invitation, otherwise as in `create`.
 */
export const update = async (key: InvitationKey, changes: InvitationUpdate, inviter: InvitingTeammate) => {
  const { id_project, _id } = key;
  assertRoleAllowed(changes.role, inviter);
  const { email: formerEmail } = await read(id_project, _id);
  if (formerEmail === changes.email) return updateInvitation(key, changes, {});
  await assertInvitable(id_project, changes.email, inviter);
  await mails.assertMailRate(INVITATION_TEMPLATE, changes.email);
  const pending = await changeEmail(key, changes, inviter).catch(async (error) => {
    throw isDuplicateKey(error) ? await alreadyInvitedError(id_project, changes.email) : error;
  });
  if (!pending) throw alreadyMemberError();
  return pending;
};

/**
 * Enqueues the email of a pending invitation again. Errors: 404 for an unknown invitation, 429 if too many such emails
 * were sent to the address or the project's mail budget is used up.
 */
export const resend = async (id_project: string, _id: string, inviter: Inviter) => {
  const pending = await read(id_project, _id);
  await mails.assertMailRate(INVITATION_TEMPLATE, pending.email);
  await chargeMails(id_project, 1);
  await mails.queueMail(await pendingInvitationMail({ id_project, _id }, pending, inviter));
  return pending;
};

/**
 * Withdraws a pending invitation. If its email is still waiting, it is not sent. Errors: 404 for an unknown invitation.
 */
export const withdraw = async (id_project: string, _id: string): Promise<void> => {
  await read(id_project, _id);
  await PendingInvitation.deleteOne({ id_project, _id });
};
