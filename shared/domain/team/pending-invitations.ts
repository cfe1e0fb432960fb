/** Pending invitations that a teammate makes and changes directly: for people without an account, and never above the role of the teammate. */
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import * as mail from '../access/mail.ts';
import { mustAfford } from '../mails/budget.ts';
import { PendingInvitation } from '../../models/pending-invitation.ts';
import { inTransaction, isDuplicate } from '../../mongo.ts';
import {
  accept,
  accountOf,
  type Invited,
  type Inviter,
  inviteUnknown,
  isActive,
  isMember,
  isPending,
  isSelf,
  letterOf,
  missing,
  read,
  SHOWN,
} from './invitations.ts';

/** The teammate who invites, with its role in the project. */
type Teammate = Inviter & { role?: string };

/** What is changed of an invitation; what is not given stays. */
type Changes = Pick<Invited, 'email' | 'role'> & Partial<Invited>;

interface Where {
  id_project: string;
  _id: string;
}

const ADMINS = new Set(['admin', 'owner']);
const TEMPLATE = 'beenInvitedNewUser';

const refuseHigherRole = (role: string, by: Teammate): void => {
  if (role !== 'admin' || ADMINS.has(by.role ?? '')) return;
  throw new AppError(403, 'ROLE_TOO_LOW', 'role must be agent: only an admin or an owner invites an admin');
};

const hasAccount = () => {
  const text = 'email belongs to an account that may be made a member at once: use POST project_users/invite';
  return new AppError(409, 'HAS_ACCOUNT', text);
};

/** Refuse an e-mail that no pending invitation is made for. */
const refuseKnown = async (id_project: string, email: string, by: Teammate): Promise<void> => {
  if (email === by.email) throw isSelf();
  const account = await accountOf(email);
  if (!account) return;
  if (await isActive(id_project, account.id)) throw isMember();
  if (account.owner) throw hasAccount();
};

/** Make a pending invitation and send its mail. */
export const create = async (id_project: string, invited: Invited, by: Teammate) => {
  refuseHigherRole(invited.role, by);
  await refuseKnown(id_project, invited.email, by);
  await mustAfford(id_project, 1);
  const pending = await inviteUnknown(id_project, invited, by);
  if (!pending) throw isMember();
  return pending;
};

const write = (where: Where, $set: object, options: object) =>
  PendingInvitation.findOneAndUpdate({ ...where }, { $set }, { ...options, returnDocument: 'after', projection: SHOWN })
    .orFail(missing)
    .lean();

/** Send the invitation to another e-mail. The secret in the mail to the old address is void from then on. */
const redirect = async (where: Where, changes: Changes, by: Teammate) => {
  const { id_project, _id } = where;
  const { email, role } = changes;
  const values = { ...(await letterOf(id_project, role, by)), invitation: _id };
  const { pending, letter } = await inTransaction(async (session) => {
    const options = { session, ...emits('project_user.invite.pending') };
    const written = await write(where, { ...changes, createdBy: by.id }, options);
    return { pending: written, letter: await mail.write({ template: TEMPLATE, to: email, values }, session) };
  });
  await mail.nudge(letter);
  // Who proved the address in the same moment may have looked before the invitation was there.
  await accept({ email });
  return pending;
};

/** Change a pending invitation; a new e-mail is sent a mail of its own. Errors: 404 for an unknown one, 403 and 409 as when one is made. */
export const change = async (where: Where, changes: Changes, by: Teammate) => {
  const { id_project, _id } = where;
  refuseHigherRole(changes.role, by);
  const { email } = await read(id_project, _id);
  if (email === changes.email) return write(where, changes, {});
  await refuseKnown(id_project, changes.email, by);
  await mail.mustNotFlood(TEMPLATE, changes.email);
  await mustAfford(id_project, 1);
  try {
    return await redirect(where, changes, by);
  } catch (error) {
    throw isDuplicate(error) ? await isPending(id_project, changes.email) : error;
  }
};
