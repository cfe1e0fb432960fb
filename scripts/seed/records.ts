/** The records of a large project, as the service itself stores them. */
import { LEAD } from '#shared/models/lead.ts';
import { MESSAGE } from '#shared/models/message.ts';
import { REQUEST } from '#shared/models/request.ts';
import { chance, sentences } from './texts.ts';

/** A teammate who serves conversations. */
export interface Agent {
  /** Of the membership. */
  _id: string;
  id_user: string;
}

/** What the records are made of. */
export interface Making {
  id_project: string;
  department: string;
  agents: Agent[];
  requests: number;
}

/** Stands in this many conversations of every project, evenly over its life. */
export const RARE = { word: 'quetzalcoatl', times: 10 } as const;
/** Messages of each conversation. */
const MESSAGES = 5;
/** Conversations of each lead. */
const OF_A_LEAD = 4;
const CLOSED = 0.95;
const WAITING = 0.04;

const BEGIN = Date.UTC(2024, 0, 1);
const SPAN_MS = 730 * 86_400_000;
const MINUTE = 60_000;

/** A project with all that can be said in it. */
interface World extends Making {
  said: string[];
}

const hex = (value: number, digits: number): string => Math.floor(value).toString(16).padStart(digits, '0');

const timeOf = ({ requests }: World, at: number): Date => new Date(BEGIN + Math.floor((at * SPAN_MS) / requests));

const KINDS = { request: 1, message: 2, lead: 3 } as const;

/** Ids in the order of time, different for each project and kind of record. */
const idOf = ({ id_project }: World, kind: keyof typeof KINDS, { at, serial }: { at: Date; serial: number }): string =>
  `${hex(at.getTime() / 1000, 8)}${id_project.slice(-6)}${hex(KINDS[kind], 2)}${hex(serial, 8)}`;

const kept = (at: Date) => ({ createdAt: at, updatedAt: at, __v: 0 });

const leadOf = (world: World, at: number) => {
  const serial = Math.floor(at / OF_A_LEAD);
  const first = timeOf(world, serial * OF_A_LEAD);
  const { id_project } = world;
  return {
    ...{ _id: idOf(world, 'lead', { at: first, serial }), id_project, lead_id: `${id_project}-${serial}` },
    ...{ fullname: `Visitor ${serial}`, email: `visitor-${serial}@example.org`, tags: [], attributes: {} },
    ...{ status: LEAD.normal, createdBy: 'system', ...kept(first) },
  };
};

/** A conversation: its number from 0, who talk in it, and the chance that makes it. */
interface Talk {
  at: number;
  request_id: string;
  lead: ReturnType<typeof leadOf>;
  agent: Agent;
  random: () => number;
}

const oneOf = <T>(all: T[], random: () => number): T => all[Math.floor(random() * all.length)] as T;

/** The rare word stands in the third message of every so manyth conversation. */
const isRare = ({ requests }: World, at: number, index: number): boolean => {
  const step = Math.max(1, Math.floor(requests / RARE.times));
  return index === 2 && at % step === 0 && at < step * RARE.times;
};

const messageOf = (world: World, { at, request_id, lead, agent, random }: Talk, index: number) => {
  const when = new Date(timeOf(world, at).getTime() + index * MINUTE);
  const [sender, senderFullname] = index % 2 === 0 ? [lead.lead_id, lead.fullname] : [agent.id_user, 'Agent'];
  const said = oneOf(world.said, random);
  return {
    _id: idOf(world, 'message', { at: when, serial: at * MESSAGES + index }),
    ...{ id_project: world.id_project, recipient: request_id, sender, senderFullname },
    text: isRare(world, at, index) ? `${said} ${RARE.word}` : said,
    ...{ type: 'text', attributes: { subtype: 'text' }, language: 'en', channel: { name: 'chat21' } },
    ...{ channel_type: 'group', status: MESSAGE.received, createdBy: sender, ...kept(when) },
  };
};

const stateOf = (opened: number, { agent, random }: Talk) => {
  const state = random();
  const duration = Math.floor(random() * 60) * MINUTE;
  const given = { participants: [agent.id_user], participantsAgents: [agent.id_user], assigned_at: new Date(opened) };
  if (state >= CLOSED + WAITING) return { status: REQUEST.served, ...given };
  if (state >= CLOSED) return { status: REQUEST.unserved, participants: [], participantsAgents: [] };
  const answered = { waiting_time: MINUTE, first_response_at: new Date(opened + MINUTE) };
  const closed = { closed_at: new Date(opened + duration), closed_by: agent.id_user, duration };
  return { status: REQUEST.closed, ...given, ...answered, ...closed };
};

const snapshotOf = ({ id_project, department, agents }: World, lead: Talk['lead']) => ({
  lead,
  requester: { _id: lead._id, role: 'guest', id_project, uuid_user: lead.lead_id },
  department: { _id: department, name: 'Support', routing: 'pooled', default: true, status: 1, id_project },
  availableAgentsCount: agents.length,
});

const requestOf = (world: World, talk: Talk, messages: ReturnType<typeof messageOf>[]) => {
  const { id_project, department, agents, said } = world;
  const { at, request_id, lead, random } = talk;
  const opened = timeOf(world, at);
  return {
    ...{ _id: idOf(world, 'request', { at: opened, serial: at }), id_project, request_id, ticket_id: at + 1 },
    ...{ lead: lead._id, requester: lead._id, department, subject: oneOf(said, random) },
    ...{ first_text: messages[0]?.text, agents: agents.map((agent) => ({ ...agent, role: 'agent' })), hasBot: false },
    ...{ participantsBots: [], smartAssignment: true, priority: 'medium', followers: [], tags: [], notes: [] },
    ...{ channel: { name: 'chat21' }, channelOutbound: { name: 'chat21' }, language: 'en', preflight: false },
    ...stateOf(opened.getTime(), talk),
    contact: { email: lead.email },
    snapshot: snapshotOf(world, lead),
    attributes: { last_message: messages.at(-1) },
    ...{ createdBy: lead.lead_id, ...kept(opened) },
  };
};

/** Writes a project's records: each conversation by its number from 0, whole; its lead with the first of those it has. */
export const writer = (making: Making) => {
  const world: World = { ...making, said: sentences(chance(1)) };
  return (at: number) => {
    const random = chance(at + 2);
    const lead = leadOf(world, at);
    const request_id = `support-group-${making.id_project}-${hex(at, 32)}`;
    const talk: Talk = { at, request_id, lead, agent: oneOf(making.agents, random), random };
    const messages = Array.from({ length: MESSAGES }, (_, index) => messageOf(world, talk, index));
    return { request: requestOf(world, talk, messages), messages, lead: at % OF_A_LEAD === 0 ? lead : null };
  };
};
