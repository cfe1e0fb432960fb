/** Maps conversation events to activities. */
import type { CurrentActor } from '../../context.ts';
import { omitFields } from '../../wire/omit-fields.ts';
import { conversationForEvents } from '../conversations/messages/message-limits.ts';
import { isBot } from '../conversations/participants.ts';
import type { LoggedEvent } from '../events/logged-event.ts';
import { type ActivityDraft, type PayloadFields, pickFields, SYSTEM_ACTOR } from './activity-draft.ts';

const CONVERSATION_FIELDS = [
  ...['_id', 'request_id', 'ticket_id', 'subject', 'first_text', 'status', 'department'],
  ...['participants', 'hasBot', 'createdBy', 'createdAt'],
];

interface ConversationRecord extends PayloadFields {
  _id: unknown;
  lead?: PayloadFields & { attributes?: PayloadFields };
  attributes?: PayloadFields;
  participantsAgents?: string[];
  preflight?: boolean;
  /** Absent if the conversation was deleted before its event was relayed. */
  snapshot?: { lead?: { attributes?: PayloadFields }; agents?: unknown };
}

/** Returns the fields of a conversation that an activity stores: those that identify the conversation. */
const conversationSummary = (request: ConversationRecord): PayloadFields => ({
  ...pickFields(request, CONVERSATION_FIELDS),
  lead: pickFields(request.lead ?? {}, ['_id', 'fullname', 'email']),
});

const draftOf = (verb: string, request: ConversationRecord, more: Partial<ActivityDraft> = {}): ActivityDraft => ({
  verb,
  target: { type: 'request', id: String(request._id), object: conversationSummary(request) },
  ...more,
  involved: [...(request.participantsAgents ?? []), ...(more.involved ?? [])],
});

const conversationOf = ({ payload }: LoggedEvent) => payload.request as ConversationRecord;

/**
 * Returns a draft with the whole conversation, except two lists that can be long: the notes, and the agents whom
 * routing considered.
 */
const withConversation = (verb: string, { snapshot, ...rest }: ConversationRecord): ActivityDraft => {
  const whole: PayloadFields = snapshot ? conversationForEvents({ ...rest, snapshot }) : rest;
  return draftOf(verb, rest, { actionObj: omitFields(whole, ['agents']) });
};

/**
 * Returns the draft for a new conversation, or null if the conversation is in preflight. In that case, the event that
 * ends the preflight produces the draft.
 */
const creationDraft = (request: ConversationRecord): ActivityDraft | null =>
  request.preflight ? null : withConversation('REQUEST_CREATE', request);

const preflightEndDraft = (event: LoggedEvent): ActivityDraft | null => {
  const previous = event.payload.previous as PayloadFields | undefined;
  return previous?.preflight === true ? creationDraft(conversationOf(event)) : null;
};

const ASSIGNMENT_VERBS: Record<string, string> = {
  auto: 'REQUEST_ASSIGNED_AUTO',
  self_join: 'REQUEST_ASSIGNED_SELF',
  unassign: 'REQUEST_UNASSIGNED',
};

const ASSIGNMENT_FIELDS = [
  'assigneeId',
  'assigneeName',
  'assigneeType',
  'assignmentType',
  'source',
  'previousAssigneeId',
  'removedParticipants',
];

interface AssignmentPayload {
  assigneeId: string | null;
  assigneeType: string;
  assignmentType: string;
  removedParticipants: string[];
  actor: CurrentActor;
  source: string;
}

/**
 * Returns the actor of an assignment. For an assignment by a subscription, the event names the system, but the activity
 * names the subscription.
 */
const assigningActor = (
  { actor: caller }: LoggedEvent,
  { actor, source }: Pick<AssignmentPayload, 'actor' | 'source'>,
): CurrentActor => {
  if (actor.type !== SYSTEM_ACTOR.type) return actor;
  return source === 'subscription' && caller ? caller : SYSTEM_ACTOR;
};

const assignmentDraft = (event: LoggedEvent): ActivityDraft => {
  const { assigneeId: id, assigneeType: type, ...details } = event.payload as PayloadFields & AssignmentPayload;
  const verb = ASSIGNMENT_VERBS[details.assignmentType] ?? 'REQUEST_ASSIGNED_MANUAL';
  return draftOf(verb, conversationOf(event), {
    actor: assigningActor(event, details),
    actionObj: pickFields(event.payload, ASSIGNMENT_FIELDS),
    ...(id && { related: { role: 'assignee', type, id } }),
    involved: [...details.removedParticipants, ...(id && type === 'user' ? [id] : [])],
  });
};

const departureDraft = (event: LoggedEvent): ActivityDraft | null => {
  const member = event.payload.member as string;
  if (isBot(member)) return null;
  const related = { role: 'participant', type: 'user', id: member };
  return draftOf('LEAVE_CONVERSATION', conversationOf(event), {
    actionObj: pickFields(event.payload, ['member', 'source']),
    related,
    involved: [member],
  });
};

/** The mappers by event name. They return null for an event from which no activity is derived. */
export const conversationActivities: Record<string, (event: LoggedEvent) => ActivityDraft | null> = {
  'request.create': ({ payload }) => creationDraft(payload as ConversationRecord),
  'request.updated': preflightEndDraft,
  'request.close': ({ payload }) => withConversation('REQUEST_CLOSE', payload as ConversationRecord),
  'request.assigned': assignmentDraft,
  'request.participants.leave': departureDraft,
};
