/**
 * Reads conversations, builds their views for teammates and visitors, and runs the transaction in which every change to
 * a conversation is made.
 */
import type { ClientSession, Types } from 'mongoose';
import type { z } from 'zod';
import { runExclusive } from '../../concurrency/keyed-mutex.ts';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { emits } from '../../events.ts';
import { readMany, readOne } from '../../database/raw-read.ts';
import { notFound } from '../../errors.ts';
import {
  Conversation,
  type ConversationRefView,
  ConversationView,
  VisitorConversationView,
} from '../../models/conversation.ts';
import { Message } from '../../models/message.ts';
import { keywordUpdate } from '../../search/conversation-texts.ts';
import { AGENT_ROLES } from '../../wire/roles.ts';
import { projectionOf } from '../../wire/view.ts';
import { type Decision, MAX_DECISIONS } from '../routing/assign-conversation.ts';
import { syncLoad } from '../routing/reservations.ts';
import { changedValues } from './changed-values.ts';
import { countChange } from './counters.ts';
import { type SystemMessageKey, systemMessage } from './messages/system-messages.ts';
import { populator } from './population.ts';

/** Identifies a conversation. `request_id` is any string, unique within the project. */
export interface ConversationKey {
  id_project: string;
  request_id: string;
}

/**
 * Whether the page from which a conversation is opened puts the conversation in draft mode, which is for testing a bot
 * before its publication.
 */
export const isDraftPage = (sourcePage: unknown): boolean => String(sourcePage ?? '').includes('td_draft=true');

/** The person or program that makes a call. */
export interface Actor {
  kind: string;
  id: string;
  role?: string;
  membership?: string;
  fullname?: string;
  email?: string;
  /** Whether the account has verified its email address. */
  verified?: boolean;
}

const TEAM_ROLES = new Set<string>(AGENT_ROLES);

const PROGRAM_KINDS = new Set(['bot', 'subscription', 'trigger']);

/**
 * Whether the actor is a teammate or a program (bot, subscription, trigger) of the project. Every other caller is a
 * visitor.
 */
export const isTeam = ({ role = '', kind }: Actor): boolean => TEAM_ROLES.has(role) || PROGRAM_KINDS.has(kind);

type PopulatedConversation = z.input<typeof ConversationView>;

/** A stored conversation. Copies of its lead, requester and department are in `snapshot`. */
export type StoredConversation = Omit<
  z.input<typeof ConversationRefView>,
  'id' | 'requester_id' | '_id' | 'createdAt' | 'assigned_at' | 'first_response_at'
> & { _id: Types.ObjectId | string; createdAt: Date; snapshot: { lead?: { lead_id: string } } };

/** The fields that the views of a conversation need. */
export const CONVERSATION_FIELDS = projectionOf(ConversationView);

/**
 * Returns conversations as teammates see them. With `live: false`, related records may come from a cache and be up to
 * 30 seconds old, which saves queries.
 */
export const teamViews = async (
  stored: StoredConversation[],
  { live = true } = {},
): Promise<PopulatedConversation[]> => {
  const populated = await populator(stored, live);
  return stored.map((request) => ({
    ...request,
    ...populated(request),
    id: request._id,
    requester_id: request.lead ?? null,
    lead: request.snapshot.lead as PopulatedConversation['lead'],
  }));
};

/** Returns one conversation as teammates see it. */
export const teamView = async (
  stored: StoredConversation,
  options?: { live: boolean },
): Promise<PopulatedConversation> => (await teamViews([stored], options))[0] as PopulatedConversation;

/** Returns a conversation with its lead, requester and department as ids. */
export const refView = (request: StoredConversation): z.input<typeof ConversationRefView> => ({
  ...request,
  id: request._id,
  requester_id: request.lead ?? null,
});

/** Returns the fields of a conversation that its visitor may see. */
export const visitorView = (request: PopulatedConversation) => VisitorConversationView.parse(request);

/** Returns the id of the visitor who owns the conversation. */
export const visitorOf = (request: PopulatedConversation): string | undefined => request.lead?.lead_id;

/** Returns the conversations that still exist, as event payloads for teammates and for the visitor. */
export const readForEvents = async (keys: (Types.ObjectId | string)[]) => {
  const anyProject = { anyProject: true }; // the relay reads the records of all projects
  const stored = await Conversation.find({ _id: { $in: keys } }, CONVERSATION_FIELDS, anyProject).lean<
    StoredConversation[]
  >();
  const requests = await teamViews(stored);
  return requests.map((view) => ({
    key: view._id as Types.ObjectId,
    view,
    visitor: visitorOf(view),
    visitorView: visitorView(view),
  }));
};

/** The filter for the conversations that a visitor may access: those that the visitor owns or participates in. */
export const accessibleToVisitor = (id: string) => ({ $or: [{ 'snapshot.lead.lead_id': id }, { participants: id }] });

/** Returns a conversation, or null if it does not exist. */
export const lookUp = async (key: ConversationKey): Promise<StoredConversation | null> =>
  (await readOne(Conversation, key, CONVERSATION_FIELDS)) as unknown as StoredConversation | null;

/** Builds the 404 for a conversation that does not exist or that the caller may not see. */
export const conversationNotFound = ({ request_id }: Pick<ConversationKey, 'request_id'>) =>
  notFound(`Request not found with id ${request_id}`);

/** Whether the actor is the visitor of the conversation, or a program, which may act for the visitor. */
export const ownsConversation = ({ snapshot }: StoredConversation, { kind, id }: Actor): boolean =>
  PROGRAM_KINDS.has(kind) || snapshot.lead?.lead_id === id;

/** Whether the actor may read and write messages of the conversation (for visitors, see `accessibleToVisitor`). */
export const hasAccess = (request: StoredConversation, actor: Actor): boolean =>
  isTeam(actor) || ownsConversation(request, actor) || request.participants.includes(actor.id);

/** Returns a conversation. Throws 404 for an unknown conversation. */
export const find = async (key: ConversationKey): Promise<StoredConversation> => {
  const request = await lookUp(key);
  if (!request) throw conversationNotFound(key);
  return request;
};

/** Returns one page of the conversations that match a filter. */
export const list = async (
  filter: object & { id_project: string },
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
): Promise<StoredConversation[]> =>
  (await readMany(Conversation, filter, { fields: CONVERSATION_FIELDS, ...page })) as unknown as StoredConversation[];

/** A change to a conversation: fields to set and to remove, events to emit, and a system message to post. */
export interface ConversationUpdate {
  set: Partial<Record<keyof typeof CONVERSATION_FIELDS | `attributes.${string}` | `snapshot.${string}`, unknown>>;
  drop?: (keyof typeof CONVERSATION_FIELDS)[];
  events: Parameters<typeof emits>;
  systemMessage?: SystemMessageKey;
  /** The user id of the agent whom routing reserved in the same transaction. */
  reservedFor?: string;
  decision?: Decision;
}

/** Returns the events of a change, and adds the previous and current values to `request.updated`. */
const eventsOf = (before: StoredConversation, change: ConversationUpdate): ConversationUpdate['events'] =>
  change.events.map((each) =>
    typeof each === 'object' && each[0] === 'request.updated'
      ? ['request.updated', { ...each[1], ...changedValues(before, change) }]
      : each,
  );

/**
 * Key of the in-process lock of a conversation. With the lock, write conflicts in MongoDB occur only between processes.
 */
export const lockKey = ({ id_project, request_id }: ConversationKey): string => `${id_project} ${request_id}`;

/** The transaction, and the id of its system message. The id stays the same when the transaction is retried. */
interface UpdateScope {
  session: ClientSession;
  systemMessageId: string;
}

/**
 * Applies an update to a conversation that was read in the same transaction: writes the fields and events, posts the
 * system message, and adjusts agent loads and counters. Returns the conversation after the update.
 */
export const applyUpdate = async (
  before: StoredConversation,
  conversationUpdate: ConversationUpdate,
  { session, systemMessageId }: UpdateScope,
): Promise<StoredConversation> => {
  const { set, drop = [], systemMessage: messageKey, reservedFor, decision } = conversationUpdate;
  const { id_project, request_id } = before;
  const message = messageKey && systemMessage({ ...before, ...set } as StoredConversation, messageKey, systemMessageId);
  const update = {
    $set: { ...set, ...keywordUpdate(before, set), ...(message && { 'attributes.last_message': message }) },
    $unset: Object.fromEntries(drop.map((field) => [field, 1])),
    ...(decision && { $push: { routing: { $each: [decision], $slice: -MAX_DECISIONS } } }),
  };
  const options = {
    ...emits(...eventsOf(before, conversationUpdate)),
    session,
    returnDocument: 'after',
    projection: CONVERSATION_FIELDS,
  } as const;
  const written = await Conversation.findOneAndUpdate(
    { id_project, request_id },
    update,
    options,
  ).lean<StoredConversation>();
  const after = written as StoredConversation; // never null: the record was read earlier in this transaction
  if (message) await Message.create([message], { session, ...emits('message.create') });
  await syncLoad({ ...before, reservedFor }, after, session);
  await countChange(before, after, session);
  return after;
};

/**
 * Changes a conversation in one transaction. `decide` returns the update for the current state, or null for no change.
 * It may run several times. Returns the conversation after the change. Throws 404 for an unknown conversation.
 */
export const updateConversation = (
  key: ConversationKey,
  decide: (
    before: StoredConversation,
    session: ClientSession,
  ) => Promise<ConversationUpdate | null> | ConversationUpdate | null,
): Promise<StoredConversation> => {
  const systemMessageId = newId();
  return runExclusive(lockKey(key), () =>
    inTransaction(async (session) => {
      const before = await Conversation.findOne(key, CONVERSATION_FIELDS, { session }).lean<StoredConversation>();
      if (!before) throw conversationNotFound(key);
      const update = await decide(before, session);
      return update ? applyUpdate(before, update, { session, systemMessageId }) : before;
    }),
  );
};
