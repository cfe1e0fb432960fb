/** The menu of events: what can happen here, and the record it tells of (contract 6, part d). */
import { z } from 'zod';
import { DepartmentView } from './models/department.ts';
import { FiredEventView } from './models/event.ts';
import { GroupView } from './models/group.ts';
import { KbContentView } from './models/kb-content.ts';
import { KbNamespaceView } from './models/kb-namespace.ts';
import { LabelsView } from './models/label.ts';
import { LeadView } from './models/lead.ts';
import { MessageEventView, VisitorPostedMessageView } from './models/message.ts';
import { PendingInvitationView } from './models/pending-invitation.ts';
import { ToldTeammateView } from './models/project-user.ts';
import { ToldProjectView } from './models/project.ts';
import { Free, RequestView, VisitorRequestView } from './models/request.ts';

/** A payload that holds the record under a name, and more beside it. */
export interface Beside<Under extends string, View extends z.ZodObject, More extends z.ZodRawShape> {
  under: Under;
  view: View;
  more: z.ZodObject<More>;
}

/** For menu lines such as `'request.updated': beside('request', RequestView, { comment: z.string() })`. */
export const beside = <U extends string, V extends z.ZodObject, M extends z.ZodRawShape>(under: U, view: V, more: M) =>
  ({ under, view, more: z.strictObject(more) }) as Beside<U, V, M>;

const text = z.string();
const texts = z.array(text);

/** Who was given a conversation, by whom and how (contract b 2.10); ids are those of users. */
const Assignment = {
  assigneeId: text.nullable(),
  assigneeType: z.enum(['user', 'bot', 'department']),
  assignmentType: z.enum([
    'auto',
    'self_join',
    'manual_reassign',
    'manual_reassign_bot',
    'manual_reassign_department',
    'unassign',
  ]),
  actor: z.strictObject({ type: z.enum(['user', 'bot', 'system']), id: text, name: text.optional() }),
  source: z.enum(['api', 'subscription', 'chatbot', 'queue', 'webhook', 'rules', 'create', 'system']),
  previousAssigneeId: text.nullable(),
  removedParticipants: texts,
};

const Replaced = Free.meta({ description: 'The fields that differ' });

/** What changed in a conversation, in one word. */
const Comment = z.enum([
  'PATCH',
  'STATUS_CHANGE',
  'REOPEN',
  'REROUTE',
  'FIRSTTEXT_PREFLIGHT_CHANGE',
  'PARTICIPANT_ADD',
  'PARTICIPANTS_SET',
  'PARTICIPANT_REMOVE',
  'FOLLOWER_ADD',
  'FOLLOWERS_SET',
  'FOLLOWER_REMOVE',
  'TAG_ADD',
  'TAG_REMOVE',
  'NOTE_ADD',
  'ATTRIBUTES_PATCH',
]);

export const events = {
  'event.emit.*': FiredEventView,
  'project.create': ToldProjectView,
  'project.update': ToldProjectView,
  'project.update.user.ban': ToldProjectView,
  'project.update.user.unban': ToldProjectView,
  'project.delete': ToldProjectView,
  'projectuser.create': ToldTeammateView,
  'project_user.invite': ToldTeammateView,
  'project_user.invite.pending': PendingInvitationView,
  'project_user.update': ToldTeammateView,
  'project_user.update.agent': ToldTeammateView,
  'project_user.update.user': ToldTeammateView,
  'project_user.update.availability': beside('project_user', ToldTeammateView, {
    user_available: z.boolean(),
    availabilityInitiator: z.literal('system').optional().meta({ description: 'A client changed it by itself' }),
  }),
  'project_user.delete': ToldTeammateView,
  'department.create': DepartmentView,
  'department.update': DepartmentView,
  'department.delete': DepartmentView,
  'group.create': GroupView,
  'group.update': GroupView,
  'group.delete': GroupView,
  'kb.namespace.create': KbNamespaceView,
  'kb.namespace.update': KbNamespaceView,
  'kb.namespace.delete': KbNamespaceView,
  'kb.content.indexed': KbContentView,
  'kb.content.failed': KbContentView,
  'kb.content.waiting': KbContentView,
  'kb.content.delete': KbContentView,
  'label.create': LabelsView,
  'label.update': LabelsView,
  'label.clone': LabelsView,
  'label.delete': LabelsView,
  'lead.create': LeadView,
  'lead.update': LeadView,
  'lead.fullname.update': LeadView,
  'lead.email.update': LeadView,
  'lead.fullname.email.update': LeadView,
  'lead.delete': LeadView,
  'message.create': MessageEventView,
  'message.update': MessageEventView,
  'message.received': MessageEventView,
  'request.create': RequestView,
  'request.update': RequestView,
  'request.updated': beside('request', RequestView, {
    comment: Comment,
    patch: Free,
    previous: Replaced.optional(),
    current: Replaced.optional(),
  }),
  'request.workingStatus.update': beside('request', RequestView, {}),
  'request.assigned': beside('request', RequestView, Assignment),
  'request.participants.join': beside('request', RequestView, { member: text }),
  'request.participants.leave': beside('request', RequestView, { member: text }),
  'request.participants.update': beside('request', RequestView, {
    beforeRequest: Free.meta({ description: 'What the change was made from: `participants` and `status`' }),
    removedParticipants: texts,
    addedParticipants: texts,
  }),
  'request.followers.join': beside('request', RequestView, { member: text }),
  'request.followers.leave': beside('request', RequestView, { member: text }),
  'request.tag.update': beside('request', RequestView, { tags: z.array(Free) }),
  'request.attributes.update': RequestView,
  'request.satisfaction': RequestView,
  'request.department.update': RequestView,
  'request.update.preflight': RequestView,
  'request.close': RequestView,
  'request.close.extended': beside('request', RequestView, { notify: z.boolean() }),
  'request.reopen': RequestView,
  'message.import': RequestView,
  'request.delete': RequestView,
};

/** What the visitor of a conversation is shown of its records, and of what stands beside them nothing (decision 57); a View that is not here is no visitor's. */
export const visitorViews = new Map<z.ZodObject, z.ZodObject>([
  [RequestView, VisitorRequestView],
  [MessageEventView, VisitorPostedMessageView],
]);

export type EventName = keyof typeof events;

/** The menu's line for an event that happened; names ending in `.*` stand for whole families. */
export const entryOf = (event: string): EventName | undefined => {
  const names = Object.keys(events) as EventName[];
  return names.find((name) => name === event || (name.endsWith('.*') && event.startsWith(name.slice(0, -1))));
};

/** Where the record stands in an event's payload; `under` is absent where it is the payload. */
export const shapeOf = (name: EventName): { view: z.ZodObject; under?: string } => {
  const entry: z.ZodObject | Beside<string, z.ZodObject, z.ZodRawShape> = events[name];
  return entry instanceof z.ZodObject ? { view: entry } : entry;
};
