/** The users of a project's own systems, whom it vouches for by tokens it signs (contract a 3.6). */
import type { ClientSession } from 'mongoose';
import { z } from 'zod';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import { Lead } from '../../models/lead.ts';
import { ProjectUser, TEAM, VISITOR } from '../../models/project-user.ts';
import { inTransaction, isDuplicate } from '../../mongo.ts';
import type { Claims } from '../../tokens.ts';
import { FreeObject } from '../../view.ts';
import * as leads from '../conversations/leads.ts';
import { phoneOf } from '../leads/phones.ts';

const TEAM_ROLES = new Set(['agent', 'supervisor', 'teammate', 'admin', 'owner']);
const NAME = 200;
const EMAIL = 320;

/** What such a token may tell of somebody. */
const Told = z.object({
  _id: z.string(),
  firstname: z.string().max(NAME).optional(),
  lastname: z.string().max(NAME).optional(),
  email: z.string().max(EMAIL).optional(),
  phone: z.string().max(NAME).transform(phoneOf).optional().catch(undefined),
  attributes: FreeObject.optional(),
});

type Told = z.infer<typeof Told>;

const toldBy = (claims: Claims): Told => {
  if (TEAM_ROLES.has(String(claims.role)))
    throw new AppError(403, 'ROLE_CLAIMED', 'A custom token cannot claim the role of a teammate');
  const told = Told.safeParse(claims);
  if (told.success) return told.data;
  throw new AppError(422, 'INVALID', `Claim ${told.error.issues[0]?.path.join('.')}: ${told.error.issues[0]?.message}`);
};

const shutOut = () => new AppError(401, 'DISABLED', 'You are disabled in this project');

/** The membership, made where there is none. The role of one that is there stays. */
const member = async (id_project: string, { _id: uuid_user, attributes }: Told, session: ClientSession) => {
  const $set = { last_login_at: new Date(), ...(attributes ? { attributes } : {}) };
  const found = await ProjectUser.findOneAndUpdate({ id_project, uuid_user }, { $set }, { session }).lean();
  if (found && (found.status !== 'active' || found.trashed || found.roleType === TEAM)) throw shutOut();
  if (found) return;
  const created = { id_project, uuid_user, ...$set, role: 'user', roleType: VISITOR, createdBy: uuid_user };
  await ProjectUser.create([created], { session, ...emits('projectuser.create') });
};

/** The lead, made where there is none, and told of another name or e-mail. */
const lead = async (id_project: string, told: Told, session: ClientSession) => {
  const { _id: lead_id, email, attributes } = told;
  const fullname = [told.firstname, told.lastname].filter(Boolean).join(' ') || undefined;
  const introduced = {
    lead_id,
    ...(fullname && { fullname }),
    ...(email && { email, isTrusted: true }),
    ...(told.phone && { phone: told.phone }),
    ...(attributes && { attributes }),
  };
  const known = await leads.known(id_project, lead_id);
  if (!known) await leads.make(leads.fresh(id_project, newId(), introduced), introduced, session);
  else if (leads.differs(known, introduced)) await leads.rename(known, introduced, { byVisitor: false, session });
  else if (fullname && fullname !== known.fullname)
    await named({ id_project, _id: String(known._id) }, fullname, session);
};

const named = (whose: { id_project: string; _id: string }, fullname: string, session: ClientSession) =>
  Lead.updateOne(whose, { $set: { fullname } }, { session, ...emits('lead.update', 'lead.fullname.update') });

/** Bring in who signs in with a token of the project, or bring it up to date. Errors: 401 for who is disabled, 403 for who claims to be a teammate. */
export const broughtIn = async (project: string, claims: Claims): Promise<void> => {
  const told = toldBy(claims);
  const both = () =>
    inTransaction(async (session) => {
      await member(project, told, session);
      await lead(project, told, session);
    });
  try {
    await both();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    await both(); // the same person came twice at once: now it is there
  }
};
