/**
 * Opens a conversation: resolves its requester and lead, routes it, and stores the lead, the conversation and its first
 * message together.
 */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../../database/connection.ts';
import { isDuplicateKey } from '../../../database/unique-keys.ts';
import { emits } from '../../../events.ts';
import { insertRecord } from '../../../database/raw-write.ts';
import { AppError } from '../../../errors.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Counter } from '../../../models/counter.ts';
import { Message } from '../../../models/message.ts';
import { locateAddress } from '../../../security/geoip.ts';
import { currentTime } from '../../../time/clock.ts';
import * as leads from '../../leads/leads.ts';
import { chargeOpening, type QuotaCharge } from '../../quotas/charge.ts';
import { syncLoad } from '../../routing/reservations.ts';
import { availableAgents, candidateAgents, planRouting } from '../../routing/routing-plan.ts';
import { type Actor, type ConversationKey, isTeam, type StoredConversation } from '../conversation.ts';
import { countChange } from '../counters.ts';
import { buildMessage } from '../messages/build-message.ts';
import { assertConversationRate, bytesOf, lastMessageOf } from '../messages/message-limits.ts';
import type { StoredMessage } from '../messages/messages.ts';
import {
  DEFAULT_SENDER_NAME,
  type IncomingMessage,
  type NewConversation,
  type SenderFields,
} from '../new-conversation.ts';
import { assigneeName, currentBot, findPeople, type Person } from '../participants.ts';
import { findActiveMembership, findMembership, type Requester, requesterView } from '../population.ts';
import { creationEvents, initialFields, initialState, resolveParticipants } from './initial-state.ts';

/** Returns the project's next ticket, starting at 1. A conversation that fails to open leaves a gap in the tickets. */
const nextTicket = async (id_project: string): Promise<number> => {
  const options = { upsert: true, returnDocument: 'after', projection: { value: 1 } } as const;
  const counter = await Counter.findOneAndUpdate(
    { id_project, name: 'tickets' },
    { $inc: { value: 1 } },
    options,
  ).lean();
  return counter?.value as number;
};

/**
 * Returns the location in the input or, without one, the location of the visitor's IP address (`attributes.ipAddress`,
 * or the address of the call).
 */
const resolveLocation = async ({ location, attributes, address }: NewConversation, actor: Actor) => {
  if (location && Object.keys(location).length) return location;
  return (await locateAddress(attributes?.ipAddress ?? (isTeam(actor) ? undefined : address))) ?? location;
};

const findSender = async (id_project: string, sender: string) => {
  const member = await findActiveMembership(id_project, sender);
  if (!member) throw new AppError(403, 'UNKNOWN_SENDER', 'sender is not an active member of this project');
  return member;
};

/** Returns the caller's own membership or, if it has just been deleted, the fields that authentication has read. */
const ownRequester = async (id_project: string, { membership = '', role = '' }: Actor, person?: Person) => {
  const member = await findMembership(id_project, membership);
  return member ? requesterView(member, person) : { _id: membership, id_project, role };
};

const fullNameOf = ({ firstname, lastname }: { firstname?: string | null; lastname?: string | null }): string =>
  [firstname, lastname].filter(Boolean).join(' ');

/**
 * Whether an email address can be trusted: the account has verified it, a teammate or program provides it, or the token
 * that the project has signed for the user contains it.
 */
const isTrusted = (
  email: string | undefined,
  actor: Actor,
  person?: { email: string; emailverified: boolean },
): boolean => {
  if (!email) return false;
  if (person && email === person.email) return person.emailverified;
  return isTeam(actor) || (actor.kind === 'userexternal' && email === actor.email);
};

interface ResolvedRequester {
  profile: leads.LeadProfile;
  requester: Requester | { _id: string; id_project: string; role: string };
  /** Whether the requester is not the caller. */
  isOtherSender: boolean;
  /** The name of the requester's account, if it has one. */
  accountName?: string;
}

const contactDetails = (
  { senderFullname, email }: SenderFields,
  actor: Actor,
  { isCaller, person }: { isCaller: boolean; person?: Person },
) => {
  const phone = person?.phone ?? undefined;
  if (person && !isCaller) return { fullname: fullNameOf(person), email: person.email, phone };
  if (!isCaller) return { fullname: senderFullname, email };
  const known = { fullname: person ? fullNameOf(person) : actor.fullname, email: person?.email ?? actor.email };
  return { fullname: senderFullname ?? known.fullname, email: email ?? known.email, phone };
};

/**
 * Returns the requester of a conversation: `sender` if it is set, otherwise the caller. Throws 403 if `sender` is not
 * an active member of the project. Bots are not members.
 */
const resolveRequester = async (id_project: string, named: SenderFields, actor: Actor): Promise<ResolvedRequester> => {
  const id = named.sender ?? actor.id;
  const isCaller = id === actor.id && actor.membership !== undefined;
  const [member, people] = await Promise.all([
    isCaller ? null : findSender(id_project, id),
    findPeople(id_project, [id]),
  ]);
  const person = people.get(id);
  const contact = contactDetails(named, actor, { isCaller, person });
  return {
    profile: { lead_id: id, ...contact, isTrusted: isTrusted(contact.email, actor, person) },
    requester: member ? requesterView(member, person) : await ownRequester(id_project, actor, person),
    isOtherSender: id !== actor.id,
    accountName: person && fullNameOf(person),
  };
};

/** Returns the lead of the requester, if there is one. Throws 429 if the visitor has opened too many conversations. */
const findLead = async (id_project: string, lead_id: string, actor: Actor): Promise<leads.StoredLead | null> => {
  const existing = await leads.findByLeadId(id_project, lead_id);
  if (existing) await assertConversationRate(id_project, actor); // a visitor without a lead has opened none
  return existing;
};

/** The actor who opens a conversation, the ids of the new records, and the first message, if there is one. */
interface OpeningContext {
  actor: Actor;
  charge: QuotaCharge;
  ids: { request: string; lead: string };
  firstMessage?: { _id: string; incoming: IncomingMessage };
}

/**
 * Reads the records and reserves the agents for a new conversation. Writes only the ticket, the reservations and the
 * usage of quotas.
 */
const prepareConversation = async (key: ConversationKey, input: NewConversation, opening: OpeningContext) => {
  const { actor, ids } = opening;
  const { id_project } = key;
  const [named, { profile, requester, ...author }, plan, existing, location] = await Promise.all([
    resolveParticipants(id_project, input, actor),
    resolveRequester(id_project, input, actor),
    planRouting(id_project, input.department),
    findLead(id_project, input.sender ?? actor.id, actor),
    resolveLocation(input, actor),
  ]);
  const initial = initialFields({ ...input, location });
  const events = await chargeOpening(opening, id_project, initial);
  const { isTrusted: _, ...lead } = profile;
  const context = { request: { _id: ids.request, ...key, ...initial, lead, requester } };
  const [ticket_id, { fields, ...routed }] = await Promise.all([
    nextTicket(id_project),
    initialState(ids.request, { ...named, request_status: input.request_status, context }, plan),
  ]);
  const newLead = leads.buildLead(id_project, ids.lead, { ...profile, attributes: input.attributes });
  const own = { _id: ids.request, ...key, ticket_id, requester: String(requester._id), createdBy: actor.id, __v: 0 };
  return {
    leadResolution: { existing, profile, newLead, byVisitor: !isTeam(actor) },
    senderFullname: author.isOtherSender
      ? (author.accountName ?? existing?.fullname ?? profile.fullname ?? DEFAULT_SENDER_NAME)
      : undefined,
    fields: { ...own, ...initial, ...fields, agents: candidateAgents(plan) },
    quotaEvents: events,
    snapshot: { requester, department: plan.department, availableAgentsCount: availableAgents(plan).length },
    // Reading the name costs no additional query: it caches the assignee's record, which the response needs, too.
    ...(await assigneeName(id_project, fields.participants[0])),
    ...routed,
  };
};

type PreparedConversation = Awaited<ReturnType<typeof prepareConversation>>;

/** Builds the first message. If the sender is not the caller, the message carries the sender's name. */
const buildFirstMessage = (
  key: ConversationKey,
  { actor, firstMessage }: OpeningContext,
  senderFullname?: string,
): StoredMessage | undefined => {
  if (!firstMessage) return undefined;
  const incoming = { ...firstMessage.incoming, ...(senderFullname && { senderFullname }) };
  return buildMessage({ key, incoming, actor }, { _id: firstMessage._id, createdBy: actor.id });
};

const withLeadAndMessage = (
  { fields, snapshot }: PreparedConversation,
  lead: leads.StoredLead,
  message?: StoredMessage,
) => {
  const { phone, email } = lead;
  const now = message?.createdAt ?? currentTime();
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
 * Opens a conversation. The lead, the conversation and the first message are stored in one transaction. If another call
 * has stored the same `request_id`, lead or message first, releases the reservations and throws the duplicate-key
 * error.
 * Errors: 403 if the sender is unknown or a quota of the project's plan is used up, 422 for an unknown department,
 * participant or follower, 429 for a visitor who opens too many conversations.
 */
export const openConversation = async (key: ConversationKey, input: NewConversation, opening: OpeningContext) => {
  const prepared = await prepareConversation(key, input, opening);
  const { leadResolution, reservedFor, decision, undo, assigneeName: name } = prepared;
  const store = async (session: ClientSession) => {
    const message = buildFirstMessage(key, opening, prepared.senderFullname);
    const request = withLeadAndMessage(prepared, await leads.storeLead(leadResolution, session), message);
    const stored = { ...request, ...(decision && { routing: [decision] }) };
    await insertRecord(Conversation, stored, {
      session,
      ...emits(
        ...creationEvents(request.participants, { isReserved: reservedFor !== undefined, assigneeName: name }),
        ...prepared.quotaEvents.request,
      ),
    });
    const bot = currentBot(request.participants);
    const messageEvents = emits(['message.create', { bot, isFirstText: true }], ...prepared.quotaEvents.message);
    if (message) await insertRecord(Message, message, { session, ...messageEvents });
    if (!reservedFor) await syncLoad(null, request, session);
    await countChange(null, request, session);
    const { bytes: _, ...stripped } = request;
    return { message, request: stripped as unknown as StoredConversation };
  };
  try {
    return await inTransaction(store);
  } catch (error) {
    // After any other error, the transaction may have been committed. A sweep then releases unused reservations.
    if (isDuplicateKey(error)) await undo?.();
    throw error;
  }
};
