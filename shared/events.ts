/** The registry of events: the name of each event, and the View (the schema) of the record in its payload. */
import { z } from 'zod';
import type { Emission } from './database/plugins/event-outbox.ts';
import {
  ActorFields,
  AssignmentFields,
  BanInfo,
  BotContext,
  MessageContext,
  ReplacedFields,
  UpdateComment,
} from './event-fields.ts';
import { type EventWithContext, type PayloadWithExtras, withContext, withExtras } from './event-payloads.ts';
import { BotView } from './models/bot.ts';
import { AnyObject, ConversationView, VisitorConversationView } from './models/conversation.ts';
import { CustomEventPayloadView, VisitorTypingView } from './models/custom-event.ts';
import { DepartmentView } from './models/department.ts';
import { GroupView } from './models/group.ts';
import { IntegrationView } from './models/integration.ts';
import { IntentView } from './models/intent.ts';
import { KbContentsAddedView, KbContentsDeletedView, KbContentView } from './models/kb-content.ts';
import { KbImportView } from './models/kb-import.ts';
import { KbNamespaceView } from './models/kb-namespace.ts';
import { LabelsView } from './models/label.ts';
import { LeadView } from './models/lead.ts';
import { MessageEventView, VisitorPostedMessageView } from './models/message.ts';
import { PendingInvitationView } from './models/pending-invitation.ts';
import { MailEventView } from './models/mail.ts';
import { ProjectEventView, ProjectPlanView } from './models/project.ts';
import { COUNTED_TYPES, QuotaUsageView } from './models/quota-usage.ts';
import { FileView } from './models/stored-file.ts';
import { DeletedTeammateView, TeammateEventView } from './models/project-user.ts';
import { SubscriptionView } from './models/subscription.ts';
import { TriggerView } from './models/trigger.ts';
import { AccountFailureView, UserView } from './models/user.ts';

const text = z.string();
const texts = z.array(text);

/**
 * The project, in the payloads of quota events. Quota events are emitted only in projects whose plan limits the counted
 * amount.
 */
const InProject = { project: ProjectPlanView };

export const events = {
  'event.emit.*': CustomEventPayloadView,
  'project.create': ProjectEventView,
  'project.update': ProjectEventView,
  'project.update.user.ban': withExtras('project', ProjectEventView, { banInfo: BanInfo }),
  'project.update.user.unban': withExtras('project', ProjectEventView, { banInfo: BanInfo }),
  'project.delete': ProjectEventView,
  'projectuser.create': TeammateEventView,
  'project_user.invite': TeammateEventView,
  'project_user.invite.pending': PendingInvitationView,
  'project_user.update': TeammateEventView,
  'project_user.update.agent': TeammateEventView,
  'project_user.update.user': TeammateEventView,
  // Emitted together with `project_user.update`, except for changes to presence or load; contains the changed fields.
  'project_user.updated': withExtras('project_user', TeammateEventView, {
    patch: AnyObject.meta({ description: 'The changed fields with their new values' }),
    availabilityInitiator: z
      .literal('system')
      .optional()
      .meta({ description: 'Present if the client changed the availability automatically' }),
  }),
  'project_user.delete': DeletedTeammateView,
  'department.create': DepartmentView,
  'department.update': DepartmentView,
  'department.delete': DepartmentView,
  'file.create': FileView,
  'file.delete': FileView,
  'group.create': GroupView,
  'group.update': GroupView,
  'group.delete': GroupView,
  'faqbot.create': BotView,
  'faqbot.update': BotView,
  'faqbot.delete': BotView,
  // Recorded as activities, unlike `faqbot.create` and `faqbot.delete`, which are also emitted for published copies.
  'faqbot.created': withExtras('chatbot', BotView, {}),
  'faqbot.deleted': withExtras('chatbot', BotView, {}),
  'faqbot.publish': withExtras('chatbot', BotView, { publishedBotId: text, release_note: text.optional() }),
  'faq.create': IntentView,
  'faq.update': IntentView,
  'faq.delete': IntentView,
  'kb.namespace.create': KbNamespaceView,
  'kb.namespace.update': KbNamespaceView,
  'kb.namespace.delete': KbNamespaceView,
  'kb.content.indexed': KbContentView,
  'kb.content.failed': KbContentView,
  'kb.content.waiting': KbContentView,
  'kb.content.progress': KbContentView,
  'kb.import.progress': KbImportView,
  'kb.content.delete': KbContentView,
  // Emitted once per call, not once per content.
  'kb.contents.add': KbContentsAddedView,
  'kb.contents.delete': KbContentsDeletedView,
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
  'message.create': withContext(MessageEventView, MessageContext),
  'message.update': MessageEventView,
  'message.received': MessageEventView,
  'request.create': withContext(ConversationView, BotContext),
  'request.update': ConversationView,
  // Emitted together with most `request.update` events; describes the change.
  'request.updated': withExtras('request', ConversationView, {
    comment: UpdateComment,
    patch: AnyObject,
    previous: ReplacedFields.optional(),
    current: ReplacedFields.optional(),
  }),
  'request.workingStatus.update': withExtras('request', ConversationView, {}),
  'request.assigned': withExtras('request', ConversationView, AssignmentFields),
  'request.participants.join': withExtras('request', ConversationView, { member: text }),
  'request.participants.leave': withExtras('request', ConversationView, {
    member: text,
    ...ActorFields,
    trackLeave: z.boolean().meta({ description: 'Whether the activity log records that the member has left' }),
  }),
  'request.participants.update': withExtras('request', ConversationView, {
    beforeRequest: AnyObject.meta({ description: 'The conversation before the change: `participants` and `status`' }),
    removedParticipants: texts,
    addedParticipants: texts,
  }),
  'request.followers.join': withExtras('request', ConversationView, { member: text }),
  'request.followers.leave': withExtras('request', ConversationView, { member: text }),
  'request.tag.update': withExtras('request', ConversationView, { tags: z.array(AnyObject) }),
  'request.attributes.update': ConversationView,
  'request.satisfaction': withExtras('request', ConversationView, { patch: AnyObject }),
  'request.department.update': ConversationView,
  'request.update.preflight': ConversationView,
  'request.close': ConversationView,
  'request.close.extended': withExtras('request', ConversationView, { notify: z.boolean() }),
  'request.reopen': ConversationView,
  // Emitted once per change to a lead, after the lead has been copied into its latest conversations.
  'request.update.snapshot.lead': withExtras('lead', LeadView, {
    updates: z
      .strictObject({ n: z.number(), nModified: z.number(), ok: z.literal(1) })
      .meta({ description: '`n` and `nModified`: the number of conversations into which the lead was copied' }),
  }),
  'message.import': ConversationView,
  'request.delete': ConversationView,
  'request.create.quote': withExtras('request', ConversationView, InProject),
  'request.close.quote': withExtras('request', ConversationView, InProject),
  'message.create.quote': withExtras('message', MessageEventView, InProject),
  'email.send.quote': withExtras('email', MailEventView, InProject),
  // Emitted for each email that announces that the usage of a quota has reached a checkpoint, such as 75%.
  'email.send.quote.checkpoint': withExtras('email', MailEventView, InProject),
  // Emitted at most once per billing period, type of quota and checkpoint (50%, 75%, 95% or 100% of the limit).
  'quote.checkpoint': withExtras('usage', QuotaUsageView, {
    ...InProject,
    type: z.enum(COUNTED_TYPES),
    checkpoint: z.number().meta({ description: 'Percentage of the limit: 50, 75, 95 or 100' }),
    limit: z.number(),
  }),
  'subscription.create': SubscriptionView,
  'subscription.update': SubscriptionView,
  'subscription.delete': SubscriptionView,
  'integration.update': IntegrationView.meta({ description: 'Also emitted when an integration is created' }),
  'trigger.create': TriggerView,
  'trigger.update': TriggerView,
  'trigger.delete': TriggerView,
  'user.signup': UserView,
  'user.signup.error': AccountFailureView,
  'user.signin': withExtras('user', UserView, { jti: text.meta({ description: 'Id of the token' }) }),
  'user.signin.error': AccountFailureView,
  'user.update': UserView,
  'user.requestresetpassword': UserView,
  'user.resetpassword': UserView,
  'user.delete': UserView,
};

/** Whether an event belongs to an account, not to a project. Only instance administrators can subscribe to it. */
export const isInstanceEvent = (event: string): boolean => event.startsWith('user.');

/** Whether visitors never receive an event, not even an event of their own conversations. */
export const isTeamEvent = (event: string): boolean => event.endsWith('.quote');

/**
 * Maps each View that a visitor may receive in events of their own conversations to a View with the fields that the
 * visitor may see. Visitors receive no extras, and no events of other Views.
 */
export const visitorViews = new Map<z.ZodObject, z.ZodObject>([
  [ConversationView, VisitorConversationView],
  [MessageEventView, VisitorPostedMessageView],
  // Only typing events: other custom events belong to no conversation.
  [CustomEventPayloadView, VisitorTypingView],
]);

export type EventName = keyof typeof events;

/** Returns the registry entry of an event name. An entry that ends in `.*` matches every name with its prefix. */
export const registeredEvent = (event: string): EventName | undefined => {
  const names = Object.keys(events) as EventName[];
  return names.find((name) => name === event || (name.endsWith('.*') && event.startsWith(name.slice(0, -1))));
};

/** Returns the View of an event's record and, unless the record is the whole payload, its key in the payload. */
export const payloadShape = (name: EventName): { view: z.ZodObject; recordKey?: string } => {
  const entry:
    | z.ZodObject
    | PayloadWithExtras<string, z.ZodObject, z.ZodRawShape>
    | EventWithContext<z.ZodObject, z.ZodRawShape> = events[name];
  return entry instanceof z.ZodObject ? { view: entry } : entry;
};

type EventArguments<N extends EventName> =
  (typeof events)[N] extends PayloadWithExtras<string, z.ZodObject, infer Extras>
    ? [name: N, extras: z.input<z.ZodObject<Extras>>]
    : (typeof events)[N] extends EventWithContext<z.ZodObject, infer Context>
      ? N | [name: N, context: z.input<z.ZodObject<Context>>]
      : FullEventName<N>;
/** The names that an entry allows. An entry that ends in `*` allows every name with its prefix. */
type FullEventName<N extends string> = N extends `${infer Prefix}*` ? `${Prefix}${string}` : N;
/** A registered event name or, for an entry with extras or a context, a tuple of the name and their values. */
type EventInput = { [N in EventName]: EventArguments<N> }[EventName];

/** Returns the option of a write that emits these events. Spread it next to `session` and other options. */
export const emits = (...inputs: EventInput[]): { emits: Emission[] } => ({
  emits: inputs.map((input) => (typeof input === 'string' ? [input] : input) as Emission),
});
