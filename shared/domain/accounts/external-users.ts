/** Users of a project's own systems, who sign in with tokens that the project signs. */
import type { ClientSession } from 'mongoose';
import { z } from 'zod';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { AppError } from '../../errors.ts';
import { Lead } from '../../models/lead.ts';
import { ProjectUser, TEAM_ROLE_TYPE, VISITOR_ROLE_TYPE } from '../../models/project-user.ts';
import type { TokenClaims } from '../../security/tokens.ts';
import { currentTime } from '../../time/clock.ts';
import { AGENT_ROLES } from '../../wire/roles.ts';
import { FreeObject } from '../../wire/view.ts';
import * as leads from '../leads/leads.ts';
import { normalizePhone } from '../leads/lead-fields.ts';

/** Roles that a project's token must not claim. */
const FORBIDDEN_ROLES = new Set<string>([...AGENT_ROLES, 'supervisor', 'teammate']);
const MAX_NAME_LENGTH = 200;
const MAX_EMAIL_LENGTH = 320;

/** The claims of a project's token that are stored. An invalid phone number is ignored. */
const ExternalUserClaims = z.object({
  _id: z.string(),
  firstname: z.string().max(MAX_NAME_LENGTH).optional(),
  lastname: z.string().max(MAX_NAME_LENGTH).optional(),
  email: z.string().max(MAX_EMAIL_LENGTH).optional(),
  phone: z.string().max(MAX_NAME_LENGTH).transform(normalizePhone).optional().catch(undefined),
  attributes: FreeObject.optional(),
});

type ExternalUserClaims = z.infer<typeof ExternalUserClaims>;

const parseClaims = (claims: TokenClaims): ExternalUserClaims => {
  if (FORBIDDEN_ROLES.has(String(claims.role)))
    throw new AppError(403, 'ROLE_NOT_ALLOWED', 'A custom token cannot claim the role of a teammate');
  const parsed = ExternalUserClaims.safeParse(claims);
  if (parsed.success) return parsed.data;
  throw new AppError(
    422,
    'INVALID',
    `Claim ${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`,
  );
};

const disabledError = () => new AppError(401, 'MEMBERSHIP_DISABLED', 'Your membership in this project is disabled');

/**
 * Creates the membership, or updates the attributes of an existing one; its role stays the same.
 * Errors: 401 if the membership is disabled or trashed, or belongs to a teammate.
 */
const upsertMembership = async (
  id_project: string,
  { _id: uuid_user, attributes }: ExternalUserClaims,
  session: ClientSession,
) => {
  const $set = { last_login_at: currentTime(), ...(attributes ? { attributes } : {}) };
  const found = await ProjectUser.findOneAndUpdate({ id_project, uuid_user }, { $set }, { session }).lean();
  if (found && (found.status !== 'active' || found.trashed || found.roleType === TEAM_ROLE_TYPE)) throw disabledError();
  if (found) return;
  const created = { id_project, uuid_user, ...$set, role: 'user', roleType: VISITOR_ROLE_TYPE, createdBy: uuid_user };
  await ProjectUser.create([created], { session, ...emits('projectuser.create') });
};

/** Creates the lead, or updates its name, email address and phone number. */
const upsertLead = async (id_project: string, user: ExternalUserClaims, session: ClientSession) => {
  const { _id: lead_id, email, attributes } = user;
  const fullname = [user.firstname, user.lastname].filter(Boolean).join(' ') || undefined;
  const profile = {
    lead_id,
    ...(fullname && { fullname }),
    ...(email && { email, isTrusted: true }),
    ...(user.phone && { phone: user.phone }),
    ...(attributes && { attributes }),
  };
  const existing = await leads.findByLeadId(id_project, lead_id);
  const newLead = leads.buildLead(id_project, newId(), profile);
  const stored = await leads.storeLead({ existing, profile, newLead, byVisitor: false }, session);
  if (stored === existing) await updateContact(stored, { fullname, phone: user.phone }, session);
};

/** Sets the name and the phone number of a lead if they are given and differ from the stored ones. */
const updateContact = async (
  stored: leads.StoredLead,
  { fullname, phone }: { fullname?: string; phone?: string },
  session: ClientSession,
): Promise<void> => {
  const isRenamed = fullname !== undefined && fullname !== stored.fullname;
  const hasNewPhone = Boolean(phone) && phone !== stored.phone;
  if (!isRenamed && !hasNewPhone) return;
  const $set = { ...(isRenamed && { fullname }), ...(hasNewPhone && { phone }) };
  const events = isRenamed ? emits('lead.update', 'lead.fullname.update') : emits('lead.update');
  await Lead.updateOne({ _id: stored._id, id_project: stored.id_project }, { $set }, { session, ...events });
};

/**
 * Creates or updates the membership and the lead of the user that a project's token names.
 * Errors: 401 for a membership that is disabled, is trashed or belongs to a teammate, 403 for a token that claims a
 * teammate's role, 422 for an invalid claim.
 */
export const upsertExternalUser = async (project: string, claims: TokenClaims): Promise<void> => {
  const user = parseClaims(claims);
  const upsertRecords = () =>
    inTransaction(async (session) => {
      await upsertMembership(project, user, session);
      await upsertLead(project, user, session);
    });
  try {
    await upsertRecords();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    await upsertRecords(); // a concurrent sign-in of the same user has created the records
  }
};
