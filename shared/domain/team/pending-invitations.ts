/**
 * Pending invitations as a resource that teammates create and update: only for addresses of which no account counts as
 * the owner, and only for roles up to the inviter's own. `invitations.ts` stores, reads, resends and withdraws them.
 */
import { inTransaction } from '../../database/connection.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { AppError } from '../../errors.ts';
import { PendingInvitation } from '../../models/pending-invitation.ts';
import { ADMIN_ROLES } from '../../wire/roles.ts';
import { chargeMails } from '../mails/budget.ts';
import * as mails from '../mails/mail-queue.ts';
import { acceptInvitations, alreadyMemberError, findAccount, findActiveMember } from './accept-invitations.ts';
import {
  alreadyInvitedError,
  createPendingInvitation,
  INVITATION_FIELDS,
  type Invitee,
  type Inviter,
  invitationMailValues,
  invitationNotFound,
  read,
  selfInvitationError,
} from './invitations.ts';

/** The teammate who invites, with its role in the project. */
type InvitingTeammate = Inviter & { role?: string };

/** The fields of an invitation to update; an absent one stays as it is. */
type InvitationUpdate = Pick<Invitee, 'email' | 'role'> & Partial<Invitee>;

interface InvitationKey {
  id_project: string;
  _id: string;
}

const MAIL_TEMPLATE = 'beenInvitedNewUser';

const assertRoleAllowed = (role: string, inviter: InvitingTeammate): void => {
  if (role !== 'admin' || ADMIN_ROLES.some((adminRole) => adminRole === inviter.role)) return;
  throw new AppError(403, 'ROLE_TOO_LOW', 'role must be agent: only an admin or an owner can invite an admin');
};

const hasAccountError = () => {
  const text = 'email belongs to an account that can become a member at once: use POST project_users/invite';
  return new AppError(409, 'ACCOUNT_EXISTS', text);
};

/**
 * Throws for an e-mail that cannot have a pending invitation: 403 for the inviter's own, 409 for that of a member or of
 * an account that can become a member at once.
 */
const assertUnknownEmail = async (id_project: string, email: string, inviter: InvitingTeammate): Promise<void> => {
  if (email === inviter.email) throw selfInvitationError();
  const account = await findAccount(email);
  if (!account) return;
  if (await findActiveMember(id_project, account.id)) throw alreadyMemberError();
  if (account.isAddressOwner) throw hasAccountError();
};

/**
 * Creates a pending invitation and sends its mail.
 * Errors: 403 for a role above the inviter's or for the inviter's own e-mail, 409 for the e-mail of a member, of
 * another pending invitation or of an account that can become a member at once, 429 if the project's mail budget is
 * used up.
 */
export const create = async (id_project: string, invitee: Invitee, inviter: InvitingTeammate) => {
  assertRoleAllowed(invitee.role, inviter);
  await assertUnknownEmail(id_project, invitee.email, inviter);
  await chargeMails(id_project, 1);
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
 * Moves the invitation to another e-mail and sends its mail. The secret in the mail to the former address becomes
 * invalid.
 */
const changeEmail = async (key: InvitationKey, changes: InvitationUpdate, inviter: InvitingTeammate) => {
  const { id_project, _id } = key;
  const { email, role } = changes;
  const values = { ...(await invitationMailValues(id_project, role, inviter)), invitation: _id };
  const { pending, mailId } = await inTransaction(async (session) => {
    const options = { session, ...emits('project_user.invite.pending') };
    const updated = await updateInvitation(key, { ...changes, createdBy: inviter.id }, options);
    return {
      pending: updated,
      mailId: await mails.createMail({ template: MAIL_TEMPLATE, to: email, values }, session),
    };
  });
  await mails.enqueueMail(mailId);
  // The address may have been verified just before the invitation was stored; that verification missed the invitation.
  await acceptInvitations({ email });
  return pending;
};

/**
 * Updates a pending invitation. If the e-mail changes, sends the mail to the new one.
 * Errors: 404 for an unknown invitation, otherwise as in `create`.
 */
export const update = async (key: InvitationKey, changes: InvitationUpdate, inviter: InvitingTeammate) => {
  const { id_project, _id } = key;
  assertRoleAllowed(changes.role, inviter);
  const { email: formerEmail } = await read(id_project, _id);
  if (formerEmail === changes.email) return updateInvitation(key, changes, {});
  await assertUnknownEmail(id_project, changes.email, inviter);
  await mails.assertMailRate(MAIL_TEMPLATE, changes.email);
  await chargeMails(id_project, 1);
  try {
    return await changeEmail(key, changes, inviter);
  } catch (error) {
    throw isDuplicateKey(error) ? await alreadyInvitedError(id_project, changes.email) : error;
  }
};
