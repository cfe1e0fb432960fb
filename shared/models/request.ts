import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { wordsOfRequest } from '../search/request-texts.ts';
import { Id, maybe, Time } from '../view.ts';
import { wire } from '../wire-profile.ts';
import { DepartmentView, PublicDepartmentView } from './department.ts';
import { LeadView } from './lead.ts';
import { worded } from './plugins/worded.ts';
import { ChangedTeammateView } from './project-user.ts';

/** Where a conversation stands (contract b 2.1): everything below `closed` is open. */
export const REQUEST = { temporary: 50, unserved: 100, abandoned: 150, served: 200, closed: 1000 } as const;

const NOBODY: string[] = [];

/** The conversations that wait for a teammate; those of departments that assign are in line. */
export const WAITING = { status: REQUEST.unserved, preflight: false, smartAssignment: true, participants: NOBODY };

const named = { name: { type: String, default: 'chat21' } };
const Tag = Schema.create({ tag: String, color: String, attributes: Schema.Types.Mixed }, { id: false });
const Note = Schema.create(
  { text: String, createdBy: String, attributes: Schema.Types.Mixed, createdAt: Date, updatedAt: Date },
  { id: false },
);

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    request_id: { type: String, required: true },
    ticket_id: Number,
    /** Ids of the lead, of the requester's membership and of the department; `snapshot` has what they were. */
    lead: String,
    requester: String,
    department: String,
    subject: String,
    first_text: { type: String, required: true },
    /** The teammates among whom routing chose. */
    agents: [{ _id: { type: String, required: true }, id_user: { type: String, required: true }, role: String }],
    participants: { type: [String], default: [] },
    participantsAgents: { type: [String], default: [] },
    participantsBots: { type: [String], default: [] },
    hasBot: { type: Boolean, default: false },
    status: { type: Number, default: REQUEST.unserved },
    preflight: { type: Boolean, default: false },
    draft: Boolean,
    smartAssignment: { type: Boolean, default: true },
    workingStatus: String,
    priority: { type: String, default: 'medium' },
    followers: { type: [String], default: [] },
    channel: named,
    channelOutbound: named,
    sourcePage: String,
    language: String,
    userAgent: String,
    location: Schema.Types.Mixed,
    contact: Schema.Types.Mixed,
    tags: { type: [Tag], default: [] },
    notes: { type: [Note], default: [] },
    rating: Number,
    rating_message: String,
    assigned_at: Date,
    first_response_at: Date,
    waiting_time: Number,
    closed_at: Date,
    closed_by: String,
    duration: Number,
    auto_close: Number,
    /** Copies of the lead, requester and department, so that showing a conversation joins nothing. */
    snapshot: { type: Schema.Types.Mixed, required: true },
    attributes: Schema.Types.Mixed,
    /** The latest decisions of routing on it, the last one last. */
    routing: { type: [Schema.Types.Mixed], select: false, default: undefined },
    /** Bytes of its messages, but for those that teammates imported. Clients do not see it. */
    bytes: { type: Number, select: false },
    /** By which it is found, its messages aside. */
    words: { type: [String], default: undefined, select: false },
    createdBy: { type: String, required: true },
  },
  kept,
);
// Of a new one; what changes one sets its words.
worded(schema, (written) => ('snapshot' in written ? { words: wordsOfRequest(written) } : {}));
schema.index({ id_project: 1, request_id: 1 }, { unique: true });
schema.index({ id_project: 1, department: 1, ticket_id: 1 }, { partialFilterExpression: WAITING });
schema.index({ id_project: 1, preflight: 1, status: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, participants: 1, status: 1, createdAt: -1 });
schema.index({ id_project: 1, 'snapshot.lead.lead_id': 1, createdAt: -1 });
schema.index({ id_project: 1, lead: 1, createdAt: -1 });
schema.index({ id_project: 1, ticket_id: 1 });
// Nobody else asks by it alone.
if (wire.publicTranscripts === 'open') schema.index({ request_id: 1 });
schema.index({ id_project: 1, words: 1, _id: -1 });
schema.index({ hasBot: 1, updatedAt: 1 }, { partialFilterExpression: { status: { $lt: REQUEST.closed } } });

/** A conversation of a lead with bots and teammates (contract b 1). */
export const Request = collection('requests', schema);

/** A free object as it was stored. */
export const Free = z.record(z.string(), z.unknown());

/** The way a conversation or message came in. */
export const Channel = z.strictObject({ name: z.string() });

const text = () => maybe(z.string());
const texts = z.array(z.string());

const Someone = z.strictObject({ _id: Id, firstname: text(), lastname: text() });

/** A participating teammate, as the team sees it. */
const Participant = Someone.extend({ email: z.string(), emailverified: z.boolean(), createdAt: Time, updatedAt: Time });

/** The membership of who opened it, with the account; of older conversations as much as they kept. */
const Requester = ChangedTeammateView.partial().extend({
  _id: Id,
  id_project: z.string(),
  role: z.string(),
  id_user: maybe(Participant.partial().extend({ _id: Id })),
});

const Snapshot = z.strictObject({
  lead: maybe(LeadView),
  requester: maybe(Requester.extend({ presence: z.unknown().optional() })).meta({ description: 'As it was then' }),
  department: maybe(Free),
  availableAgentsCount: maybe(z.number()),
});

const visible = {
  _id: Id,
  id: Id,
  id_project: z.string(),
  request_id: z.string(),
  ticket_id: maybe(z.number()),
  requester_id: Id.nullable(),
  lead: maybe(LeadView),
  subject: text(),
  first_text: z.string(),
  department: text(),
  participants: texts,
  participantsAgents: texts,
  participantsBots: texts,
  participatingBots: z.array(Free),
  hasBot: z.boolean(),
  status: z.number(),
  preflight: z.boolean(),
  draft: maybe(z.boolean()),
  channel: Channel,
  channelOutbound: Channel,
  sourcePage: text(),
  language: text(),
  userAgent: text(),
  location: maybe(Free),
  contact: maybe(Free),
  rating: maybe(z.number()),
  rating_message: text(),
  assigned_at: maybe(Time),
  first_response_at: maybe(Time),
  waiting_time: maybe(z.number()).meta({ description: 'Milliseconds' }),
  closed_at: maybe(Time),
  closed_by: text(),
  duration: maybe(z.number()).meta({ description: 'Milliseconds' }),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
};

/** A department where a conversation is shown with it: the record, or its id. */
const departmentAs = <V extends z.ZodObject>(view: V) =>
  (wire.wholeDepartment ? maybe(view) : text()) as unknown as z.ZodOptional<
    z.ZodType<string | z.output<V>, string | z.input<V> | null>
  >;

/** A conversation as the team sees it. */
export const RequestView = z.strictObject({
  ...visible,
  department: departmentAs(DepartmentView),
  requester: maybe(Requester),
  agents: z.array(z.strictObject({ _id: Id, id_user: Id, role: z.string() })),
  participatingAgents: z.array(Participant),
  smartAssignment: z.boolean(),
  workingStatus: text(),
  priority: z.string(),
  followers: texts,
  tags: z.array(z.strictObject({ _id: Id, tag: z.string(), color: text(), attributes: maybe(Free) })),
  notes: z.array(
    z.strictObject({
      _id: Id,
      text: z.string(),
      createdBy: z.string(),
      attributes: maybe(Free),
      createdAt: Time,
      updatedAt: Time,
    }),
  ),
  auto_close: maybe(z.number()),
  snapshot: Snapshot,
  attributes: maybe(Free),
});

const OwnLead = LeadView.pick({ _id: true, lead_id: true, fullname: true, email: true, phone: true }).strip();

/** A conversation as its visitor sees it: nothing the team keeps to itself, no e-mail but its own (decision 57). Parsing leaves out the rest. */
export const VisitorRequestView = z.object({
  ...visible,
  department: departmentAs(PublicDepartmentView.strip()),
  lead: maybe(OwnLead),
  participatingAgents: z.array(Someone.strip()),
});

/** A conversation whose lead, requester and department are told by their ids alone (contract b 1.7, `no_populate`). */
export const BareRequestView = RequestView.omit({ participatingAgents: true, participatingBots: true }).extend({
  lead: text(),
  department: text(),
  requester: text(),
});

/** The same as its visitor sees it. */
export const BareVisitorRequestView = VisitorRequestView.omit({
  participatingAgents: true,
  participatingBots: true,
}).extend({ lead: text(), department: text() });

const transcript = text().meta({
  description: 'Of a closed conversation: its newest thousand messages, one a line, with time in UTC and name',
});

/** A conversation that is closed now, with what was said in it. */
export const ClosedRequestView = RequestView.extend({ transcript });

/** The same as its visitor sees it. */
export const ClosedVisitorRequestView = VisitorRequestView.extend({ transcript });
