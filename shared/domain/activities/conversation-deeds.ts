/** What is done with conversations (contract b 12.3). */
import type { Doer } from '../../context.ts';
import { isBot } from '../conversations/participants.ts';
import { type Deed, type Fields, pick, SYSTEM, type Told } from './told.ts';

const KEPT = [
  ...['_id', 'request_id', 'ticket_id', 'subject', 'first_text', 'status', 'department'],
  ...['participants', 'hasBot', 'createdBy', 'createdAt'],
];

interface Request extends Fields {
  _id: unknown;
  lead?: Fields;
  participantsAgents?: string[];
  preflight?: boolean;
}

/** The conversation as it is kept with an activity: what tells it from others, and nothing that was said in it later. */
const shortly = (request: Request): Fields => ({
  ...pick(request, KEPT),
  lead: pick(request.lead ?? {}, ['_id', 'fullname', 'email']),
});

const done = (verb: string, request: Request, more: Partial<Deed> = {}): Deed => ({
  verb,
  target: { type: 'request', id: String(request._id), object: shortly(request) },
  ...more,
  involved: [...(request.participantsAgents ?? []), ...(more.involved ?? [])],
});

const beside = ({ payload }: Told) => payload.request as Request;

/** A conversation begins when its visitor really writes, whether that is at once or later. */
const created = (request: Request): Deed | null => (request.preflight ? null : done('REQUEST_CREATE', request));

const leftPreflight = (told: Told): Deed | null => {
  const previous = told.payload.previous as Fields | undefined;
  return previous?.preflight === true ? created(beside(told)) : null;
};

const ASSIGNED: Record<string, string> = {
  auto: 'REQUEST_ASSIGNED_AUTO',
  self_join: 'REQUEST_ASSIGNED_SELF',
  unassign: 'REQUEST_UNASSIGNED',
};

const ASSIGNMENT = [
  'assigneeId',
  'assigneeType',
  'assignmentType',
  'source',
  'previousAssigneeId',
  'removedParticipants',
];

interface Assignment {
  assigneeId: string | null;
  assigneeType: string;
  assignmentType: string;
  removedParticipants: string[];
  actor: Doer;
}

const assigned = (told: Told): Deed => {
  const { assigneeId: id, assigneeType: type, ...how } = told.payload as Fields & Assignment;
  const verb = ASSIGNED[how.assignmentType] ?? 'REQUEST_ASSIGNED_MANUAL';
  return done(verb, beside(told), {
    actor: how.actor.type === SYSTEM.type ? SYSTEM : how.actor,
    actionObj: pick(told.payload, ASSIGNMENT),
    ...(id && { related: { role: 'assignee', type, id } }),
    involved: [...how.removedParticipants, ...(id && type === 'user' ? [id] : [])],
  });
};

const left = (told: Told): Deed | null => {
  const member = told.payload.member as string;
  if (isBot(member)) return null;
  const related = { role: 'participant', type: 'user', id: member };
  return done('LEAVE_CONVERSATION', beside(told), { actionObj: { member }, related, involved: [member] });
};

/** By event. */
export const conversationDeeds: Record<string, (told: Told) => Deed | null> = {
  'request.create': ({ payload }) => created(payload as Request),
  'request.updated': leftPreflight,
  'request.close': ({ payload }) => done('REQUEST_CLOSE', payload as Request),
  'request.assigned': assigned,
  'request.participants.leave': left,
};
