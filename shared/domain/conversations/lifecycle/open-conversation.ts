/**
 * Opens a conversation: resolves its requester and lead, routes it, and stores lead, conversation and first message
 * together.
 */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../../database/connection.ts';
import { isDuplicateKey } from '../../../database/unique-keys.ts';
import { emits } from '../../../events.ts';
import { countRecords } from '../../../database/raw-read.ts';
import { insertRecord } from '../../../database/raw-write.ts';
import { AppError } from '../../../errors.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Counter } from '../../../models/counter.ts';
import { Message } from '../../../models/message.ts';
import { locateAddress } from '../../../security/geoip.ts';
import * as leads from '../../leads/leads.ts';
import { syncLoad } from '../../routing/reservations.ts';
import { availableAgents, candidateAgents, planRouting, type RoutingPlan } from '../../routing/routing-plan.ts';
import { type InitialParticipants, reserveTeammates, resolveParticipants } from '../assignment/initial-participants.ts';
import { isBot, OFFLINE_CHANNELS } from '../assignment/participants.ts';
import {
  type Actor,
  type ConversationKey,
  type ConversationUpdate,
  isTeam,
  type StoredConversation,
} from '../conversation.ts';
import { countChange } from '../counters.ts';
import { bytesOf, type StoredMessage } from '../messages/messages.ts';
import { lastMessageOf } from '../messages/truncate-objects.ts';
import { initialState } from './initial-state.ts';
import { DEFAULT_SENDER_NAME, type NewConversation } from '../new-conversation.ts';
import { resolveRequester } from './requester.ts';

const HOUR_MS = 3_600_000;
/** Maximum number of conversations that one visitor may open in an hour. */
const MAX_CONVERSATIONS_PER_HOUR = 60;
const RETRY_AFTER_SECONDS = 60;

/** Returns the project's next ticket number, from 1. A conversation that fails to open leaves a gap. */
const nextTicket = async (id_project: string): Promise<number> => {
  const options = { upsert: true, returnDocument: 'after', projection: { value: 1 } } as const;
  const counter = await Counter.findOneAndUpdate(
    { id_project, name: 'tickets' },
    { $inc: { value: 1 } },
    options,
  ).lean();
  return counter?.value as number;
};

const isDraft = ({ sourcePage }: Record<string, unknown>): boolean =>
  String(sourcePage ?? '').includes('td_draft=true');

const initialFields = (input: NewConversation) => {
  const { first_text, subject, sourcePage, language, userAgent, location, attributes = {} } = input;
  const channel = { name: input.channel?.name ?? 'chat21' };
  return {
    ...{ first_text, subject, sourcePage, language, userAgent, location, attributes },
    channel,
    channelOutbound: channel,
    priority: input.priority ?? 'medium',
    followers: input.followers ?? [],
    preflight: input.preflight ?? false,
    smartAssignment: !OFFLINE_CHANNELS.has(channel.name),
    draft: isDraft(attributes) || undefined,
    tags: [],
    notes: [],
  };
};

const creationEvents = ([assignee]: string[], isReserved: boolean): ConversationUpdate['events'] => {
  if (!assignee || isBot(assignee)) return ['request.create'];
  const assignmentType = isReserved ? 'auto' : 'manual_reassign';
  const to = { assigneeId: assignee, assigneeType: 'user', assignmentType } as const;
  const from = { previousAssigneeId: null, removedParticipants: [] };
  const actor = { type: 'system', id: 'system' } as const;
  return ['request.create', ['request.assigned', { ...to, ...from, actor, source: 'create' }]];
};

/** The lead of a new conversation: the existing one, or `newLead` if there is none. */
interface LeadResolution {
  existing: leads.StoredLead | null;
  profile: leads.LeadProfile;
  newLead: leads.StoredLead;
  byVisitor: boolean;
}

/**
 * Stores a new lead, or updates the existing one if the requester has given another e-mail. Returns the stored lead.
 */
const storeLead = async (
  { existing, profile, newLead, byVisitor }: LeadResolution,
  session: ClientSession,
): Promise<leads.StoredLead> => {
  if (!existing) return leads.insertLead(newLead, profile, session);
  return leads.hasNewEmail(existing, profile) ? leads.rename(existing, profile, { byVisitor, session }) : existing;
};

/** Throws 429 if a visitor has reached the hourly limit of new conversations. */
const assertConversationRate = async (id_project: string, actor: Actor): Promise<void> => {
  if (isTeam(actor)) return;
  const own = { id_project, 'snapshot.lead.lead_id': actor.id, createdAt: { $gt: new Date(Date.now() - HOUR_MS) } };
  if ((await countRecords(Conversation, own, MAX_CONVERSATIONS_PER_HOUR)) < MAX_CONVERSATIONS_PER_HOUR) return;
  const text = `A visitor can open at most ${MAX_CONVERSATIONS_PER_HOUR} conversations per hour; retry later`;
  throw new AppError(429, 'RATE_LIMITED', text).retryAfter(RETRY_AFTER_SECONDS);
};

/**
 * Returns the location in the input or, without one, the location of the visitor's IP address (`attributes.ipAddress`,
 * or the address of the call).
 */
const resolveLocation = async ({ location, attributes, address }: NewConversation, actor: Actor) => {
  if (location && Object.keys(location).length) return location;
  return (await locateAddress(attributes?.ipAddress ?? (isTeam(actor) ? undefined : address))) ?? location;
};

/** The actor who opens a conversation, the ids of the new records, and a function that builds the first message. */
interface OpeningContext {
  actor: Actor;
  ids: { request: string; lead: string };
  /** Is called in each attempt of the transaction. `senderFullname` is set if the sender is not the caller. */
  buildMessage?: (senderFullname?: string) => StoredMessage;
}

/**
 * Returns the initial state of a conversation. If a visitor names agents as participants, reserves those who have
 * capacity first.
 */
const resolveInitialState = async (
  input: NewConversation,
  plan: RoutingPlan,
  { actor, ids, named }: OpeningContext & { named: InitialParticipants },
) => {
  const { request } = ids;
  const { participants } = named;
  if (isTeam(actor) || !participants.length) return initialState(request, { ...input, participants }, plan);
  const { limit, department } = plan;
  const reserved = await reserveTeammates(named, { id_project: department.id_project, request, limit });
  const state = await initialState(request, { ...input, participants: reserved.participants }, plan);
  return { ...state, undo: async () => void (await Promise.all([reserved.undo(), state.undo?.()])) };
};

/** Reads and reserves what a new conversation needs. Writes only the ticket counter and the reservations. */
const prepareConversation = async (key: ConversationKey, input: NewConversation, { actor, ids }: OpeningContext) => {
  const { id_project } = key;
  const [named, { profile, requester, ...author }, plan, existing, location] = await Promise.all([
    resolveParticipants(id_project, input, actor),
    resolveRequester(id_project, input, actor),
    planRouting(id_project, input.department),
    leads.findByLeadId(id_project, input.sender ?? actor.id),
    resolveLocation(input, actor),
    assertConversationRate(id_project, actor),
  ]);
  const [ticket_id, { fields, ...routed }] = await Promise.all([
    nextTicket(id_project),
    resolveInitialState(input, plan, { actor, ids, named }),
  ]);
  const newLead = leads.buildLead(id_project, ids.lead, { ...profile, attributes: input.attributes });
  const own = { _id: ids.request, ...key, ticket_id, requester: String(requester._id), createdBy: actor.id, __v: 0 };
  return {
    leadResolution: { existing, profile, newLead, byVisitor: !isTeam(actor) },
    senderFullname: author.isOtherSender
      ? (author.accountName ?? existing?.fullname ?? profile.fullname ?? DEFAULT_SENDER_NAME)
      : undefined,
    fields: { ...own, ...initialFields({ ...input, location }), ...fields, agents: candidateAgents(plan) },
    snapshot: { requester, department: plan.department, availableAgentsCount: availableAgents(plan).length },
    ...routed,
  };
};

type PreparedConversation = Awaited<ReturnType<typeof prepareConversation>>;

const withLeadAndMessage = (
  { fields, snapshot }: PreparedConversation,
  lead: leads.StoredLead,
  message?: StoredMessage,
) => {
  const { phone, email } = lead;
  const now = message?.createdAt ?? new Date();
  return {
    ...fields,
    attributes: { ...fields.attributes, ...(message && { last_message: lastMessageOf(message) }) },
    ...(message && { bytes: bytesOf(message) }),
    lead: String(lead._id),
    contact: phone || email ? { phone, email } : undefined,
    snapshot: { lead, ...snapshot },
    createdAt: now,
    updatedAt: now,
  };
};

/**
 * Opens a conversation: stores lead, conversation and first message in one transaction. If another call has stored the
 * same `request_id`, lead or message first, releases the reservations and throws the duplicate-key error.
 * Errors: 403 for an unknown sender, 422 for an unknown department, participant or follower, 429 for a visitor who
 * opens too many conversations.
 */
export const openConversation = async (key: ConversationKey, input: NewConversation, opening: OpeningContext) => {
  const prepared = await prepareConversation(key, input, opening);
  const { leadResolution, reservedFor, decision, undo } = prepared;
  const store = async (session: ClientSession) => {
    const message = opening.buildMessage?.(prepared.senderFullname);
    const request = withLeadAndMessage(prepared, await storeLead(leadResolution, session), message);
    const stored = { ...request, ...(decision && { routing: [decision] }) };
    await insertRecord(Conversation, stored, {
      session,
      ...emits(...creationEvents(request.participants, reservedFor !== undefined)),
    });
    if (message) await insertRecord(Message, message, { session, ...emits('message.create') });
    if (!reservedFor) await syncLoad(null, request, session);
    await countChange(null, request, session);
    const { bytes: _, ...stripped } = request;
    return { message, request: stripped as unknown as StoredConversation };
  };
  try {
    return await inTransaction(store);
  } catch (error) {
    // After any other error the transaction may have been committed; the reservation sweep drops what is unused.
    if (isDuplicateKey(error)) await undo?.();
    throw error;
  }
};
