import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { searchKeywords } from '../database/plugins/search-keywords.ts';
import { conversationKeywords } from '../search/conversation-texts.ts';
import { compatibility } from '../wire/compatibility.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';
import { DepartmentView, PublicDepartmentView } from './department.ts';
import { LeadView } from './lead.ts';
import { ConversationAgent, Participant, PersonName, Requester } from './conversation-people.ts';

/**
 * The statuses of a conversation; with a status below `closed`, it is open. `temporary`: its visitor has not written
 * yet, so it is in preflight; conversations with other statuses may be in preflight, too. `unserved`: it waits for an
 * agent. `abandoned`: every agent who could serve it has left it.
 */
export const CONVERSATION_STATUS = { temporary: 50, unserved: 100, abandoned: 150, served: 200, closed: 1000 } as const;

const NO_PARTICIPANTS: string[] = [];

/** Matches the conversations that wait for an agent. */
export const WAITING_FILTER = {
  status: CONVERSATION_STATUS.unserved,
  preflight: false,
  smartAssignment: true,
  participants: NO_PARTICIPANTS,
};

const channelField = { name: { type: String, default: 'chat21' } };
const TagSchema = Schema.create({ tag: String, color: String, attributes: Schema.Types.Mixed }, { id: false });
const NoteSchema = Schema.create(
  { text: String, createdBy: String, attributes: Schema.Types.Mixed, createdAt: Date, updatedAt: Date },
  { id: false },
);

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    request_id: { type: String, required: true },
    ticket_id: Number,
    /** Ids of the lead, the requester's membership and the department; `snapshot` contains copies of these records. */
    lead: String,
    requester: String,
    department: String,
    subject: String,
    first_text: { type: String, required: true },
    /** The agents that routing considered. */
    agents: [{ _id: { type: String, required: true }, id_user: { type: String, required: true }, role: String }],
    participants: { type: [String], default: [] },
    participantsAgents: { type: [String], default: [] },
    participantsBots: { type: [String], default: [] },
    hasBot: { type: Boolean, default: false },
    status: { type: Number, default: CONVERSATION_STATUS.unserved },
    preflight: { type: Boolean, default: false },
    draft: Boolean,
    smartAssignment: { type: Boolean, default: true },
    workingStatus: String,
    priority: { type: String, default: 'medium' },
    followers: { type: [String], default: [] },
    channel: channelField,
    channelOutbound: channelField,
    sourcePage: String,
    language: String,
    userAgent: String,
    location: Schema.Types.Mixed,
    contact: Schema.Types.Mixed,
    tags: { type: [TagSchema], default: [] },
    notes: { type: [NoteSchema], default: [] },
    rating: Number,
    rating_message: String,
    assigned_at: Date,
    first_response_at: Date,
    waiting_time: Number,
    closed_at: Date,
    closed_by: String,
    duration: Number,
    auto_close: Number,
    /** Copies of the lead, requester and department, so that a conversation can be read without joins. */
    snapshot: { type: Schema.Types.Mixed, required: true },
    attributes: Schema.Types.Mixed,
    /** The latest routing decisions, oldest first. */
    routing: { type: [Schema.Types.Mixed], select: false, default: undefined },
    /**
     * The total size of the conversation's messages in bytes, excluding those that the team imports. If it is too
     * large, visitors can post no more messages. Not on the wire.
     */
    bytes: { type: Number, select: false },
    /** Search keywords of the conversation's own texts, excluding its messages. */
    keywords: { type: [String], default: undefined, select: false },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
// Sets the keywords of a new conversation. Updates set them through `keywordUpdate`.
searchKeywords(schema, (fields) => ('snapshot' in fields ? { keywords: conversationKeywords(fields) } : {}));
schema.index({ id_project: 1, request_id: 1 }, { unique: true });
schema.index({ id_project: 1, department: 1, ticket_id: 1 }, { partialFilterExpression: WAITING_FILTER });
schema.index({ id_project: 1, preflight: 1, status: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, participants: 1, status: 1, createdAt: -1 });
schema.index({ id_project: 1, 'snapshot.lead.lead_id': 1, createdAt: -1 });
schema.index({ id_project: 1, lead: 1, createdAt: -1 });
schema.index({ id_project: 1, ticket_id: 1 });
// Conversations are looked up without their project only for public transcripts, if `PUBLIC_TRANSCRIPTS` is `open`.
if (compatibility.publicTranscripts === 'open') schema.index({ request_id: 1 });
schema.index({ id_project: 1, keywords: 1, _id: -1 });
schema.index({ hasBot: 1, updatedAt: 1 }, { partialFilterExpression: { status: { $lt: CONVERSATION_STATUS.closed } } });

/** Conversations between leads and the team, which consists of agents and bots. */
export const Conversation = collection('requests', schema);

/** A free-form object. */
export const AnyObject = z.record(z.string(), z.unknown());

/** The channel of a conversation or message. */
export const Channel = z.strictObject({ name: z.string() });

const optionalText = () => optionalField(z.string());
const textList = z.array(z.string());

const Snapshot = z.strictObject({
  lead: optionalField(LeadView),
  requester: optionalField(Requester.extend({ presence: z.unknown().optional() })).meta({
    description: 'The requester at the time when the conversation was opened',
  }),
  department: optionalField(AnyObject),
  agents: optionalField(z.array(ConversationAgent)).meta({ description: 'Same as `agents` of the conversation' }),
  availableAgentsCount: optionalField(z.number()),
});

/** The fields that both teammates and visitors see; of `lead` and `department`, visitors see fewer fields. */
const commonFields = {
  _id: Id,
  id: Id,
  id_project: z.string(),
  request_id: z.string(),
  ticket_id: optionalField(z.number()),
  requester_id: Id.nullable(),
  lead: optionalField(LeadView),
  subject: optionalText(),
  first_text: z.string(),
  department: optionalText(),
  participants: textList,
  participantsAgents: textList,
  participantsBots: textList,
  participatingBots: z.array(AnyObject),
  hasBot: z.boolean(),
  status: z.number(),
  preflight: z.boolean(),
  draft: optionalField(z.boolean()),
  channel: Channel,
  channelOutbound: Channel,
  sourcePage: optionalText(),
  language: optionalText(),
  userAgent: optionalText(),
  location: optionalField(AnyObject),
  contact: optionalField(AnyObject),
  rating: optionalField(z.number()),
  rating_message: optionalText(),
  assigned_at: optionalField(Time),
  first_response_at: optionalField(Time),
  waiting_time: optionalField(z.number()).meta({ description: 'Milliseconds' }),
  closed_at: optionalField(Time),
  closed_by: optionalText(),
  duration: optionalField(z.number()).meta({ description: 'Milliseconds' }),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
};

/** The department of a conversation: the record or its id, depending on the wire profile (docs/wire-profiles.md). */
const departmentField = <V extends z.ZodObject>(view: V) =>
  (compatibility.embedsDepartment ? optionalField(view) : optionalText()) as unknown as z.ZodOptional<
    z.ZodType<string | z.output<V>, string | z.input<V> | null>
  >;

/** A conversation in the team's view. */
export const ConversationView = view('Conversation', {
  ...commonFields,
  department: departmentField(DepartmentView),
  requester: optionalField(Requester),
  agents: z.array(ConversationAgent).meta({
    description:
      'The teammates that routing considered. Those after the first 20 have only ids and a role. In the reply to a call that posts a message, all of them have only ids and a role',
  }),
  participatingAgents: z.array(Participant),
  smartAssignment: z.boolean(),
  workingStatus: optionalText(),
  priority: z.string(),
  followers: textList,
  tags: z.array(
    z.strictObject({ _id: Id, tag: z.string(), color: optionalText(), attributes: optionalField(AnyObject) }),
  ),
  notes: z.array(
    z.strictObject({
      _id: Id,
      text: z.string(),
      createdBy: z.string(),
      attributes: optionalField(AnyObject),
      createdAt: Time,
      updatedAt: Time,
    }),
  ),
  auto_close: optionalField(z.number()),
  snapshot: Snapshot,
  attributes: optionalField(AnyObject),
});

const VisitorLead = LeadView.pick({ _id: true, lead_id: true, fullname: true, email: true, phone: true }).strip();

/** A conversation in its visitor's view. Parsing drops internal fields and the email addresses of other people. */
export const VisitorConversationView = z
  .object({
    ...commonFields,
    department: departmentField(PublicDepartmentView.strip()),
    lead: optionalField(VisitorLead),
    participatingAgents: z.array(PersonName.strip()),
  })
  .meta({ id: 'VisitorConversation' });

/** A conversation with ids in place of its lead, requester and department records (parameter `no_populate`). */
export const ConversationRefView = ConversationView.omit({ participatingAgents: true, participatingBots: true })
  .extend({
    lead: optionalText(),
    department: optionalText(),
    requester: optionalText(),
    agents: z.array(z.strictObject({ _id: Id, id_user: Id, role: z.string() })),
  })
  .meta({ id: 'ConversationRef' });

/** A conversation in its visitor's view, with ids in place of its lead and department records. */
export const VisitorConversationRefView = VisitorConversationView.omit({
  participatingAgents: true,
  participatingBots: true,
})
  .extend({ lead: optionalText(), department: optionalText() })
  .meta({ id: 'VisitorConversationRef' });

const transcript = optionalText().meta({
  description:
    'The latest 1000 messages of a closed conversation, one per line, with the UTC time and the name of the sender',
});

/** A closed conversation with its transcript. */
export const ClosedConversationView = ConversationView.extend({ transcript }).meta({ id: 'ClosedConversation' });

/** A closed conversation with its transcript, in the visitor's view. */
export const ClosedVisitorConversationView = VisitorConversationView.extend({ transcript }).meta({
  id: 'ClosedVisitorConversation',
});
