/** Maps team events to activities. */
import type { CurrentActor } from '../../context.ts';
import { TEAM_ROLE_TYPE } from '../../models/project-user.ts';
import type { LoggedEvent } from '../events/logged-event.ts';
import { type ActivityDraft, type PayloadFields, pickFields } from './activity-draft.ts';

const MEMBERSHIP_FIELDS = [
  ...['_id', 'id_project', 'id_user', 'role', 'user_available', 'status', 'trashed'],
  ...['firstname', 'lastname', 'email', 'createdBy', 'createdAt'],
];

const accountOf = ({ id_user }: PayloadFields) => (id_user ?? {}) as { _id?: unknown; email?: string };

const involvedUser = (member: PayloadFields): string[] => {
  const { _id } = accountOf(member);
  return _id ? [String(_id)] : [];
};

const draftOf = (
  verb: string,
  { payload, record }: LoggedEvent,
  ...[more, targetType = 'project_user']: [more: PayloadFields, targetType?: string]
): ActivityDraft => ({
  verb,
  target: { type: targetType, id: record, object: pickFields(payload, MEMBERSHIP_FIELDS) },
  actionObj: {
    ...pickFields(payload, ['id_project', 'role', 'user_available']),
    email: accountOf(payload).email ?? payload.email,
    ...more,
  },
  involved: involvedUser(payload),
});

const isByInvolvedUser = ({ actor, payload }: LoggedEvent): boolean =>
  actor !== undefined && involvedUser(payload).includes(actor.id);

/** The `source` of a change, by the type of its actor; the source of a change without an actor is `system`. */
const SOURCES: Record<CurrentActor['type'], string> = {
  user: 'api',
  visitor: 'api',
  bot: 'chatbot',
  subscription: 'subscription',
  system: 'rules',
};

/**
 * Returns the verb of an update. A change of availability has one verb if the teammate makes it, and another if a
 * program or the system does. Any other change by an actor other than the teammate is `PROJECT_USER_UPDATE`. Returns
 * null for other changes by the teammate, and for other changes without an actor.
 */
const updateVerb = (event: LoggedEvent, isAvailability: boolean, isAutomatic: boolean): string | null => {
  const isOwn = isByInvolvedUser(event);
  if (isAvailability && (isAutomatic || event.actor?.type !== 'user')) return 'PROJECT_USER_AVAILABILITY_SYSTEM';
  if (isAvailability && isOwn) return 'PROJECT_USER_AVAILABILITY_SELF';
  return event.actor && !isOwn ? 'PROJECT_USER_UPDATE' : null;
};

/** Returns the changed fields and the kind of the change. */
const describeUpdate = (member: PayloadFields, patch: PayloadFields): PayloadFields => {
  const { user_available = member.user_available, profileStatus } = patch;
  const newStatus = profileStatus || (user_available ? 'available' : 'unavailable');
  if ('user_available' in patch || 'profileStatus' in patch) return { ...patch, newStatus, updateType: 'availability' };
  return { ...patch, updateType: 'role' in patch ? 'role' : 'details' };
};

const updateDraft = ({ payload, ...event }: LoggedEvent): ActivityDraft | null => {
  const { project_user, patch, availabilityInitiator } = payload as Record<string, PayloadFields>;
  const member = project_user as PayloadFields;
  const membershipEvent = { ...event, payload: member };
  const isAvailability = 'user_available' in (patch as PayloadFields);
  const verb = updateVerb(membershipEvent, isAvailability, availabilityInitiator !== undefined);
  if (!verb || member.roleType !== TEAM_ROLE_TYPE) return null;
  const source = event.actor ? SOURCES[event.actor.type] : 'system';
  return draftOf(verb, membershipEvent, { ...describeUpdate(member, patch as PayloadFields), source });
};

/** The mappers by event name. */
export const teamActivities: Record<string, (event: LoggedEvent) => ActivityDraft | null> = {
  'project_user.invite': (event) => draftOf('PROJECT_USER_INVITE', event, { inviteType: 'registered' }),
  'project_user.invite.pending': (event) =>
    draftOf('PROJECT_USER_INVITE', event, { inviteType: 'pending' }, 'pendinginvitation'),
  'project_user.updated': updateDraft,
  'project_user.delete': (event) => draftOf('PROJECT_USER_DELETE', event, pickFields(event.payload, ['deleteType'])),
};
