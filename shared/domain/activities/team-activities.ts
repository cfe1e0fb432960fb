/** Maps team events to activities. */
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
  { type = 'project_user', ...more }: PayloadFields = {},
): ActivityDraft => ({
  verb,
  target: { type: type as string, id: record, object: pickFields(payload, MEMBERSHIP_FIELDS) },
  actionObj: {
    ...pickFields(payload, ['id_project', 'role', 'user_available']),
    email: accountOf(payload).email ?? payload.email,
    ...more,
  },
  involved: involvedUser(payload),
});

const isByInvolvedUser = ({ actor, payload }: LoggedEvent): boolean =>
  actor !== undefined && involvedUser(payload).includes(actor.id);

/** A change of another person's membership. Changes by the system (presence, load) are not activities. */
const membershipUpdateDraft = (event: LoggedEvent): ActivityDraft | null =>
  event.actor && !isByInvolvedUser(event) ? draftOf('PROJECT_USER_UPDATE', event) : null;

/**
 * A change of availability by the teammate itself or by the system. A change by another teammate is already recorded as
 * an update of the membership.
 */
const availabilityDraft = ({
  payload: { project_user, user_available, availabilityInitiator },
  ...event
}: LoggedEvent): ActivityDraft | null => {
  const membershipEvent = { ...event, payload: { ...(project_user as PayloadFields), user_available } };
  if (availabilityInitiator === 'system') return draftOf('PROJECT_USER_AVAILABILITY_SYSTEM', membershipEvent);
  if (isByInvolvedUser(membershipEvent)) return draftOf('PROJECT_USER_AVAILABILITY_SELF', membershipEvent);
  return membershipEvent.actor?.type === 'user' ? null : draftOf('PROJECT_USER_AVAILABILITY_SYSTEM', membershipEvent);
};

/** The mappers by event name. */
export const teamActivities: Record<string, (event: LoggedEvent) => ActivityDraft | null> = {
  'project_user.invite': (event) => draftOf('PROJECT_USER_INVITE', event, { inviteType: 'registered' }),
  'project_user.invite.pending': (event) =>
    draftOf('PROJECT_USER_INVITE', event, { type: 'pendinginvitation', inviteType: 'pending' }),
  'project_user.update.agent': membershipUpdateDraft,
  'project_user.update.availability': availabilityDraft,
  'project_user.delete': (event) => draftOf('PROJECT_USER_DELETE', event),
};
