/** How a conversation begins: whose it is, where it goes, who takes it (contract b 2.2, 3.3, 5.9). */
import type { ClientSession } from 'mongoose';
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import { locate } from '../../geoip.ts';
import { Counter } from '../../models/counter.ts';
import { Message } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { inTransaction, isDuplicate } from '../../mongo.ts';
import { countOf } from '../../read.ts';
import { insert } from '../../write.ts';
import { account } from '../routing/claims.ts';
import { availableOf, candidatesOf, type Plan, plan } from '../routing/plan.ts';
import { authorOf, type Named, UNNAMED } from './authors.ts';
import { beginning } from './beginning.ts';
import { lastMessageOf } from './bounded.ts';
import { type Company, companyOf, seat } from './company.ts';
import * as leads from './leads.ts';
import { bytesOf, type StoredMessage } from './messages.ts';
import { isBot } from './participants.ts';
import { type Change, type Conversation, isTeam, type Speaker, type StoredRequest } from './requests.ts';
import { tally } from './tallies.ts';

/** What a conversation is opened with. */
export interface NewConversation extends Named {
  first_text: string;
  department?: string;
  subject?: string;
  sourcePage?: string;
  language?: string;
  userAgent?: string;
  priority?: string;
  channel?: { name: string };
  location?: Record<string, unknown>;
  /** The address of the caller. It is looked up where a visitor calls, and not stored. */
  address?: string;
  attributes?: Record<string, unknown>;
  participants?: string[];
  followers?: string[];
  preflight?: boolean;
  request_status?: number;
}

const HOUR_MS = 3_600_000;
/** Conversations that one visitor opens in an hour. */
const MOST_AN_HOUR = 60;
const RETRY_SECONDS = 60;

const OFFLINE = new Set(['email', 'form']);

/** The next number of the project's tickets, from 1. One that comes to nothing leaves a gap. */
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

const fieldsOf = (given: NewConversation) => {
  const { first_text, subject, sourcePage, language, userAgent, location, attributes = {} } = given;
  const channel = { name: given.channel?.name ?? 'chat21' };
  return {
    ...{ first_text, subject, sourcePage, language, userAgent, location, attributes },
    channel,
    channelOutbound: channel,
    priority: given.priority ?? 'medium',
    followers: given.followers ?? [],
    preflight: given.preflight ?? false,
    smartAssignment: !OFFLINE.has(channel.name),
    draft: isDraft(attributes) || undefined,
    tags: [],
    notes: [],
  };
};

const tellsOf = ([assignee]: string[], claimed: boolean): Change['tells'] => {
  if (!assignee || isBot(assignee)) return ['request.create'];
  const assignmentType = claimed ? 'auto' : 'manual_reassign';
  const to = { assigneeId: assignee, assigneeType: 'user', assignmentType } as const;
  const from = { previousAssigneeId: null, removedParticipants: [] };
  const actor = { type: 'system', id: 'system' } as const;
  return ['request.create', ['request.assigned', { ...to, ...from, actor, source: 'create' }]];
};

/** The lead of a conversation: the one that is known, and what it is if there is none. */
interface Whose {
  known: leads.StoredLead | null;
  introduced: leads.Introduced;
  fresh: leads.StoredLead;
  byVisitor: boolean;
}

/** The lead as it is stored: a new one, the known one, or that one under its new e-mail. */
const storedLead = async (
  { known, introduced, fresh, byVisitor }: Whose,
  session: ClientSession,
): Promise<leads.StoredLead> => {
  if (!known) return leads.make(fresh, introduced, session);
  return leads.differs(known, introduced) ? leads.rename(known, introduced, { byVisitor, session }) : known;
};

/** 429 for a visitor that has opened as many conversations within an hour as anybody needs. */
const refuseFlood = async (id_project: string, by: Speaker): Promise<void> => {
  if (isTeam(by)) return;
  const own = { id_project, 'snapshot.lead.lead_id': by.id, createdAt: { $gt: new Date(Date.now() - HOUR_MS) } };
  if ((await countOf(Request, own, MOST_AN_HOUR)) < MOST_AN_HOUR) return;
  const text = `A visitor opens at most ${MOST_AN_HOUR} conversations in an hour; go on in one of them, or wait`;
  throw new AppError(429, 'RATE_LIMITED', text).with({
    body: { retry_after: RETRY_SECONDS },
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });
};

/** The location that is given, or that of the visitor's address: the one in `attributes.ipAddress`, or the one from which it calls. */
const locationOf = async ({ location, attributes, address }: NewConversation, by: Speaker) => {
  if (location && Object.keys(location).length) return location;
  return (await locate(attributes?.ipAddress ?? (isTeam(by) ? undefined : address))) ?? location;
};

/** Who opens a conversation, the ids of the new records, and the first message, made anew for each try. */
interface Opening {
  by: Speaker;
  ids: { request: string; lead: string };
  /** `senderFullname` is the name of a sender who is somebody else than the caller. */
  compose?: (senderFullname?: string) => StoredMessage;
}

/** Where a conversation starts; whom its visitor names is seated before. */
const start = async (given: NewConversation, planned: Plan, { by, ids, company }: Opening & { company: Company }) => {
  const { request } = ids;
  const { participants } = company;
  if (isTeam(by) || !participants.length) return beginning(request, { ...given, participants }, planned);
  const { limit, department } = planned;
  const seated = await seat(company, { id_project: department.id_project, request, limit });
  const begun = await beginning(request, { ...given, participants: seated.participants }, planned);
  return { ...begun, undo: async () => void (await Promise.all([seated.undo(), begun.undo?.()])) };
};

/** All that a conversation is made of before anything of it is stored. */
const prepare = async (where: Conversation, given: NewConversation, { by, ids }: Opening) => {
  const { id_project } = where;
  const [company, { introduced, requester, ...author }, planned, known, location] = await Promise.all([
    companyOf(id_project, given, by),
    authorOf(id_project, given, by),
    plan(id_project, given.department),
    leads.known(id_project, given.sender ?? by.id),
    locationOf(given, by),
    refuseFlood(id_project, by),
  ]);
  const [ticket_id, { fields, ...routed }] = await Promise.all([
    nextTicket(id_project),
    start(given, planned, { by, ids, company }),
  ]);
  const fresh = leads.fresh(id_project, ids.lead, { ...introduced, attributes: given.attributes });
  const own = { _id: ids.request, ...where, ticket_id, requester: String(requester._id), createdBy: by.id, __v: 0 };
  return {
    whose: { known, introduced, fresh, byVisitor: !isTeam(by) },
    senderFullname: author.isNamed
      ? (author.accountName ?? known?.fullname ?? introduced.fullname ?? UNNAMED)
      : undefined,
    fields: { ...own, ...fieldsOf({ ...given, location }), ...fields, agents: candidatesOf(planned) },
    snapshot: { requester, department: planned.department, availableAgentsCount: availableOf(planned).length },
    ...routed,
  };
};

type Prepared = Awaited<ReturnType<typeof prepare>>;

const withLead = ({ fields, snapshot }: Prepared, lead: leads.StoredLead, message?: StoredMessage) => {
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
 * Open a conversation: lead, conversation and first message in one transaction. Fails with the duplicate of its
 * `request_id`, lead or message when somebody was faster; then whom routing gave it to is free again.
 */
export const open = async (where: Conversation, given: NewConversation, opening: Opening) => {
  const prepared = await prepare(where, given, opening);
  const { whose, claimed, decision, undo } = prepared;
  const store = async (session: ClientSession) => {
    const message = opening.compose?.(prepared.senderFullname);
    const request = withLead(prepared, await storedLead(whose, session), message);
    const stored = { ...request, ...(decision && { routing: [decision] }) };
    await insert(Request, stored, { session, ...emits(...tellsOf(request.participants, claimed !== undefined)) });
    if (message) await insert(Message, message, { session, ...emits('message.create') });
    if (!claimed) await account(null, request, session);
    await tally(null, request, session);
    const { bytes: _, ...shown } = request;
    return { message, request: shown as unknown as StoredRequest };
  };
  try {
    return await inTransaction(store);
  } catch (error) {
    // Whether another failure came before or after the commit is not known: then `sweepClaims` sees what became of it.
    if (isDuplicate(error)) await undo?.();
    throw error;
  }
};
