/**
 * Leads, visitors, conversations and messages of a project. Each conversation has a number, from which its documents
 * are generated.
 */
import { makeSentences } from '../../../scripts/seed/random-texts.ts';
import { seededRandom } from '../../../scripts/seed/seeded-random.ts';
import { idAt, times, type Document } from './documents.ts';
import type { Team } from './team.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const CONVERSATIONS_PER_LEAD = 4;
const SENTENCES = makeSentences(seededRandom(5));

/** The values from which the conversations of a project are generated. */
export interface ConversationSeed {
  team: Team;
  bot: unknown;
  /** The number of the project, which makes its ids differ from those of other projects. */
  projectNumber: number;
  requests: number;
  messagesEach: number;
  /** The length, in days, of the period over which the conversations are spread. */
  days: number;
  /** The end of this period. */
  now: number;
}

const pick = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)] as T;

/** Returns the time at which a conversation began. Conversations are spread evenly over the period. */
const startOf = ({ requests, now, days }: ConversationSeed, number: number): number =>
  Math.floor((now - HOUR_MS - ((requests - number) * days * 24 * HOUR_MS) / requests) / 1000) * 1000;

const SERIALS = { lead: 1, member: 2, request: 3, message: 4 } as const;

const idOf = ({ projectNumber }: ConversationSeed, kind: keyof typeof SERIALS, [time, number]: [number, number]) =>
  idAt(time, SERIALS[kind] * 2 ** 44 + projectNumber * 2 ** 36 + number);

/** The visitor of a conversation: a lead and a membership. */
const visitorOf = (seed: ConversationSeed, number: number) => {
  const serial = Math.floor(number / CONVERSATIONS_PER_LEAD);
  const at = startOf(seed, serial * CONVERSATIONS_PER_LEAD);
  const { id_project } = seed.team;
  const uuid = `${id_project.slice(0, 8)}-0000-4000-8000-${serial.toString(16).padStart(12, '0')}`;
  const lead = {
    ...{ _id: idOf(seed, 'lead', [at, serial]), id_project, lead_id: uuid, fullname: `Visitor ${serial}` },
    ...{ email: `visitor${serial}@example.com`, phone: `+39 06 ${serial}`, tags: ['web'], status: 100 },
    ...{ attributes: { plan: 'gold', ref: idAt(at, 7) }, createdBy: 'system', ...times(at) },
  };
  const member = {
    ...{ _id: idOf(seed, 'member', [at, serial]), id_project, uuid_user: uuid, role: 'guest', roleType: 2 },
    ...{
      user_available: true,
      status: 'active',
      trashed: false,
      tags: [],
      permissions: [],
      number_assigned_requests: 0,
    },
    ...{ createdBy: uuid, last_ip: '192.0.2.7', ...times(at) },
  };
  return { lead, member };
};

const isOpen = ({ requests }: ConversationSeed, number: number): boolean => number >= requests * 0.95;

/** Status and participants. The last conversations are open: waiting, with an agent or bot, or in preflight. */
const stateOf = (seed: ConversationSeed, number: number, start: number) => {
  const agent = String(pick(seed.team.agents, seededRandom(number)).id_user);
  const answered = {
    assigned_at: new Date(start),
    waiting_time: MINUTE_MS,
    first_response_at: new Date(start + MINUTE_MS),
  };
  const assigned = {
    participants: [agent],
    participantsAgents: [agent],
    participantsBots: [],
    hasBot: false,
    ...answered,
  };
  const empty = { participants: [], participantsAgents: [], participantsBots: [], hasBot: false };
  if (!isOpen(seed, number)) {
    const duration = (1 + (number % 50)) * MINUTE_MS;
    const closed = { closed_at: new Date(start + duration), closed_by: agent, duration, transcript: 'a long text' };
    return {
      status: 1000,
      ...assigned,
      ...closed,
      ...(number % 3 === 0 && { rating: 1 + (number % 5), rating_message: 'fine' }),
    };
  }
  const kind = number % 4;
  if (kind === 0) return { status: 100, ...empty };
  if (kind === 1) return { status: 200, ...assigned };
  if (kind === 2) {
    const participants = [`bot_${String(seed.bot)}`];
    return { status: 200, participants, participantsAgents: [], participantsBots: [String(seed.bot)], hasBot: true };
  }
  return { status: 50, preflight: true, ...empty };
};

const messageOf = (seed: ConversationSeed, fields: { text: string }, [at, index]: [number, number]) => ({
  ...{
    _id: idOf(seed, 'message', [at, index]),
    id_project: seed.team.id_project,
    type: 'text',
    language: 'en',
    status: 200,
  },
  ...{ channel: { name: 'chat21' }, channel_type: 'group', ...fields, ...times(at) },
});

type Fields = Record<string, unknown>;

/** Some of the messages are images or private notes; all others have a button. */
const variantOf = (index: number): Fields => {
  if (index % 10 === 4) return { type: 'image', metadata: { src: 'http://127.0.0.1:9/i.png', width: 10, height: 20 } };
  if (index % 10 === 7)
    return { attributes: { subtype: 'private', nested: { list: [{ ref: idAt(0, index) }, new Date(0)] } } };
  return { attributes: { _answerid: String(index % 10), attachment: { buttons: [{ type: 'text', value: 'Yes' }] } } };
};

export interface ConversationDocuments {
  request: Document;
  messages: Document[];
  /** The lead and the visitor's membership; present only for the lead's first conversation. */
  visitor?: { lead: Document; member: Document };
}

/** Returns the documents of the conversation with this number, counted from 0. */
export const conversationOf = (seed: ConversationSeed, number: number): ConversationDocuments => {
  const { team, messagesEach } = seed;
  const { id_project, departments, members } = team;
  const random = seededRandom(number + 1);
  const start = startOf(seed, number);
  const { lead, member } = visitorOf(seed, number);
  const request_id = `support-group-${id_project}-${number.toString(16).padStart(32, '0')}`;
  const state = stateOf(seed, number, start);
  const [agent = lead.lead_id] = state.participants;
  const messages = Array.from({ length: messagesEach }, (_, index) => {
    const isVisitor = index % 2 === 0;
    const sender = isVisitor ? lead.lead_id : agent;
    const name = isVisitor ? lead.fullname : 'Ada Byron';
    const fields = {
      recipient: request_id,
      sender,
      senderFullname: name,
      createdBy: sender,
      text: pick(SENTENCES, random),
    };
    const place: [number, number] = [start + index * MINUTE_MS, number * messagesEach + index];
    return messageOf(seed, { ...fields, ...variantOf(index) }, place);
  });
  const department = pick(departments, random);
  const tagged = number % 5 === 0 && {
    tags: [{ _id: idAt(start, 9), tag: 'vip', color: '#43B1F2' }, { tag: 'refund' }],
  };
  const { __v: _, ...noteTimes } = times(start);
  const note = { _id: idAt(start, 8), text: 'Call back', createdBy: agent, ...noteTimes };
  const request = {
    ...{ _id: idOf(seed, 'request', [start, number]), id_project, request_id, ticket_id: number + 1 },
    ...{ requester: member._id, lead: lead._id, department: String(department._id), first_text: messages[0]?.text },
    ...{
      subject: pick(SENTENCES, random),
      priority: 'medium',
      followers: [],
      smartAssignment: true,
      tags: [],
      ...tagged,
    },
    notes: number % 7 === 0 ? [note] : [],
    ...{
      channel: { name: number % 11 === 0 ? 'email' : 'chat21' },
      channelOutbound: { name: 'chat21' },
      preflight: false,
    },
    ...{ sourcePage: 'http://shop.example.org/', language: 'en', userAgent: 'Mozilla/5.0' },
    location: { country: 'Italy', city: 'Rome', geometry: { type: 'Point', coordinates: [12.5, 41.9] } },
    contact: { phone: lead.phone, email: lead.email },
    snapshot: { requester: member, lead, department, agents: [...members], availableAgentsCount: 2 },
    attributes: { client: 'widget', last_message: messages.at(-1) },
    ...{ ...state, createdBy: lead.lead_id, ...times(start, start + messagesEach * MINUTE_MS) },
  };
  const isFirst = number % CONVERSATIONS_PER_LEAD === 0;
  return { request, messages, ...(isFirst && { visitor: { lead, member } }) };
};
