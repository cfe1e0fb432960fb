/** Invitations: whoever has an account with a proved address is a member at once, anybody else as soon as it has one. */
import type { ClientSession, Types } from 'mongoose';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError, notFound } from '../../errors.ts';
import { links } from '../../mail/links.ts';
import { PendingInvitation, PendingInvitationView } from '../../models/pending-invitation.ts';
import { ACTIVE, Project } from '../../models/project.ts';
import { ProjectUser, TEAM } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { inTransaction, isDuplicate } from '../../mongo.ts';
import { fieldsOf, isId } from '../../view.ts';
import { accessChanged } from '../access/access.ts';
import { ownsAddress } from '../access/address-proof.ts';
import * as mail from '../access/mail.ts';
import { mustAfford } from '../mails/budget.ts';
import { invitationIn, isSecretOf } from './invitation-secret.ts';
import { type Changed, changed, FIELDS, type Stored } from './members.ts';

/** Who is invited; `email` in lower case. */
export interface Invited {
  email: string;
  role: 'admin' | 'agent';
  user_available: boolean;
  firstname?: string;
  lastname?: string;
}

/** Who invites. */
export interface Inviter {
  id: string;
  email?: string;
  fullname?: string;
}

/** What showing an invitation reads. */
export const SHOWN = fieldsOf(PendingInvitationView);

const refusal = (status: number, text: string, code: number) =>
  new AppError(status, 'ALREADY_MEMBER', text).with({ body: { code } });
export const isMember = () => refusal(409, 'The person is a member of the project already', 4001);
export const missing = () => notFound('Pending invitation not found');
export const isSelf = () => refusal(403, 'You are a member of the project already', 4000);

/** What the mail of an invitation says. */
export const letterOf = async (id_project: string, role: string, { fullname, email = '' }: Inviter) => {
  const project = await Project.findOne({ _id: id_project }, { name: 1 }).lean();
  return { project: project?.name ?? '', role, inviter: fullname || email };
};

/** The account with an e-mail; `owner`: it may act for that address. */
export const accountOf = async (email: string): Promise<{ id: string; owner: boolean } | null> => {
  const user = await User.findOne({ email, status: ACTIVE }, { emailverified: 1 }).lean();
  return user && { id: String(user._id), owner: ownsAddress(user) };
};

/** True for a member of the project, neither disabled nor removed. */
export const isActive = (id_project: string, id_user: string) =>
  ProjectUser.exists({ id_project, id_user, status: 'active', trashed: false });

type Membership = Pick<Invited, 'role' | 'user_available'> & {
  _id: string;
  id_project: string;
  id_user: string;
  createdBy: string;
};

/** Part of a transaction: make somebody a member, or a member again; 409 for who is one. False when an earlier try has done it. */
const join = async ({ _id, id_project, id_user, ...member }: Membership, session: ClientSession): Promise<boolean> => {
  const known = await ProjectUser.findOne({ id_project, id_user }, { status: 1, trashed: 1 }, { session }).lean();
  if (String(known?._id) === _id) return false;
  if (known?.status === 'active' && !known.trashed) throw isMember();
  const standing = { ...member, roleType: TEAM, status: 'active' as const, trashed: false };
  const { createdBy: _, ...anew } = standing;
  const options = { session, ...emits('project_user.invite') };
  if (known) await ProjectUser.updateOne({ id_project, _id: known._id }, { $set: anew }, options);
  else await ProjectUser.create([{ _id, id_project, id_user, ...standing, last_login_at: new Date() }], options);
  await accessChanged({ user: id_user, project: id_project }, session);
  return true;
};

const membership = async (id_project: string, id_user: string): Promise<Changed> =>
  changed(await ProjectUser.findOne({ id_project, id_user }, FIELDS).orFail(isMember).lean<Stored>());

type Known = Invited & { id_user: string };

const inviteKnown = async (id_project: string, { id_user, email, role, user_available }: Known, by: Inviter) => {
  const values = { ...(await letterOf(id_project, role, by)), link: links.signIn() };
  const member = { _id: newId(), id_project, id_user, role, user_available, createdBy: by.id };
  const letter = await inTransaction(async (session) => {
    if (!(await join(member, session))) return null;
    await PendingInvitation.deleteOne({ id_project, email }, { session });
    return mail.write({ template: 'beenInvitedExistingUser', to: email, values }, session);
  });
  if (letter) await mail.nudge(letter);
  return membership(id_project, id_user);
};

/** The refusal of an e-mail that is invited already. */
export const isPending = async (id_project: string, email: string): Promise<AppError> => {
  const pending = await PendingInvitation.find({ id_project, email }, SHOWN).lean();
  return new AppError(409, 'ALREADY_INVITED', 'The person is invited already').with({
    body: { pendinginvitation: pending },
  });
};

type Pending = Invited & { _id: string; id_project: string };

const note = ({ id_project, ...invited }: Pending, by: Inviter) =>
  inTransaction(async (session) => {
    const record = { id_project, ...invited, createdBy: by.id };
    const told = emits('project_user.invite.pending');
    await PendingInvitation.create([record], { session, ...told });
    const values = { ...(await letterOf(id_project, invited.role, by)), invitation: invited._id };
    return mail.write({ template: 'beenInvitedNewUser', to: invited.email, values }, session);
  });

/** Note an invitation and write its mail; 409 where there is one already that no earlier try has made. */
const noteOnce = async (pending: Pending, by: Inviter): Promise<void> => {
  try {
    await mail.nudge(await note(pending, by));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const { _id, id_project, email } = pending;
    if (!(await PendingInvitation.exists({ _id, id_project }))) throw await isPending(id_project, email);
  }
};

/** Make a pending invitation and send its mail; null where somebody has accepted it meanwhile. */
export const inviteUnknown = async (id_project: string, invited: Invited, by: Inviter) => {
  const _id = newId();
  await noteOnce({ _id, id_project, ...invited }, by);
  const pending = await PendingInvitation.findOne({ id_project, _id }, SHOWN).lean();
  // Who proved the address in the same moment may have looked before the invitation was there.
  await accept(invited);
  return pending;
};

/** A teammate to be, in the shape of one (decision 15). */
const asTeammate = (pending: NonNullable<Awaited<ReturnType<typeof inviteUnknown>>>): Changed => {
  const { _id, id_project, role, user_available, createdBy, createdAt, updatedAt, __v } = pending;
  const standing = { roleType: TEAM, status: 'disabled' as const, trashed: false, number_assigned_requests: 0 };
  const lists = { tags: [], permissions: [] };
  const times = { createdAt, updatedAt, __v };
  return changed({ _id, id_project, role, user_available, createdBy, ...standing, ...lists, ...times });
};

/** The member that an invitation made before it was answered. */
const accepted = async (id_project: string, email: string): Promise<Changed> => {
  const account = await accountOf(email);
  if (!account) throw missing();
  return membership(id_project, account.id);
};

const PENDING = 'The person was invited, and is a member once an account has proved this e-mail address';

/** Invite somebody by e-mail: a membership at once, or a pending invitation where no account has proved the address. */
export const invite = async (id_project: string, invited: Invited, by: Inviter) => {
  if (invited.email === by.email) throw isSelf();
  await mustAfford(id_project, 1);
  const known = await accountOf(invited.email);
  if (known?.owner) return inviteKnown(id_project, { ...invited, id_user: known.id }, by);
  if (known && (await isActive(id_project, known.id))) throw isMember();
  const pendingInvitation = await inviteUnknown(id_project, invited, by);
  if (!pendingInvitation) return accepted(id_project, invited.email);
  return { ...asTeammate(pendingInvitation), msg: PENDING, pendingInvitation };
};

const anyProject = { anyProject: true };

/** True for an e-mail that some project waits for. */
export const isInvited = async (email: string): Promise<boolean> =>
  (await PendingInvitation.findOne({ email }, { _id: 1 }, anyProject).lean()) !== null;

/** True for the secret in the mail of a pending invitation to this e-mail: whoever has it reads the mails there. */
export const provesAddress = async (secret: string, email: string): Promise<boolean> => {
  const invitation = invitationIn(secret);
  if (!invitation || !isSecretOf(secret, { invitation, email })) return false;
  return (await PendingInvitation.findOne({ _id: invitation, email }, { _id: 1 }, anyProject).lean()) !== null;
};

const acceptOne = (id_user: string, { _id: waiting, id_project }: { _id: Types.ObjectId; id_project: string }) => {
  const _id = newId();
  return inTransaction(async (session) => {
    const pending = await PendingInvitation.findOneAndDelete({ id_project, _id: waiting }, { session }).lean();
    if (!pending || (await isActive(id_project, id_user).session(session))) return;
    const { user_available, createdBy } = pending;
    const role = pending.role as Invited['role'];
    await join({ _id, id_project, id_user, role, user_available, createdBy }, session);
  });
};

/** Make an account a member of every project that waits for its e-mail; nobody, unless it may act for that address. */
export const accept = async ({ email }: { email: string }): Promise<void> => {
  const waiting = await PendingInvitation.find({ email }, { id_project: 1 }, anyProject).lean();
  if (!waiting.length) return;
  const account = await accountOf(email);
  if (!account?.owner) return;
  for (const pending of waiting) await acceptOne(account.id, pending);
};

/** The project's pending invitations, the latest first. */
export const list = (id_project: string) => PendingInvitation.find({ id_project }, SHOWN).sort({ _id: -1 }).lean();

/** One of them. */
export const read = async (id_project: string, _id: string) => {
  if (!isId(_id)) throw missing();
  return PendingInvitation.findOne({ id_project, _id }, SHOWN).orFail(missing).lean();
};

/** A pending invitation for whoever holds its secret, or its id. */
export const open = async (secret: string) => {
  const invitation = isId(secret) ? secret : invitationIn(secret);
  if (!invitation) throw missing();
  const pending = await PendingInvitation.findOne({ _id: invitation }, SHOWN, anyProject).orFail(missing).lean();
  if (secret !== invitation && !isSecretOf(secret, { invitation, email: pending.email })) throw missing();
  return pending;
};

/** Send the mail of a pending invitation again. */
export const resend = async (id_project: string, _id: string, by: Inviter) => {
  const pending = await read(id_project, _id);
  await mail.mustNotFlood('beenInvitedNewUser', pending.email);
  await mustAfford(id_project, 1);
  const values = { ...(await letterOf(id_project, pending.role, by)), invitation: _id };
  await mail.send({ template: 'beenInvitedNewUser', to: pending.email, values });
  return pending;
};

/** Take a pending invitation back. */
export const withdraw = async (id_project: string, _id: string): Promise<void> => {
  await read(id_project, _id);
  await PendingInvitation.deleteOne({ id_project, _id });
};
