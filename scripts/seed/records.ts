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
export const MESSAGES = 5;
/** Conversations of each lead. */
const OF_A_LEAD = 4;
const CLOSED = 0.95;
const WAITING = 0.04;

const BEGIN = Date.UTC(2024, 0, 1);
const SPAN_MS = 730 * 86_400_000;
const MINUTE = 60_000;

const hex = (value: number, digits: number): string => Math.floor(value).toString(16).padStart(digits, '0');

/** A conversation's name, and who talk in it. */
interface Talk {
  request_id: string;
  lead: { lead_id: string; fullname: string };
  agent: Agent;
}

/** Ids in the order of time, different for each project and kind of record. */
const idsOf =
  ({ id_project }: Making, kind: number) =>
  (at: Date, serial: number): string =>
    `${hex(at.getTime() / 1000, 8)}${id_project.slice(-6)}${hex(kind, 2)}${hex(serial, 8)}`;

const kept = (at: Date) => ({ createdAt: at, updatedAt: at, __v: 0 });

/** The writer of a project's records: each conversation by its number from 0, whole. */
export const writer = (making: Making) => {
  const { id_project, department, agents, requests } = making;
  const all = sentences(chance(1));
  const ids = { request: idsOf(making, 1), message: idsOf(making, 2), lead: idsOf(making, 3) };
  const step = Math.max(1, Math.floor(requests / RARE.times));
  const timeOf = (at: number) => new Date(BEGIN + Math.floor((at * SPAN_MS) / requests));

  const leadOf = (at: number) => {
    const serial = Math.floor(at / OF_A_LEAD);
    const [fullname, email] = [`Visitor ${serial}`, `visitor-${serial}@example.org`];
    const own = { _id: ids.lead(timeOf(serial * OF_A_LEAD), serial), id_project, lead_id: `${id_project}-${serial}` };
    const more = { tags: [], attributes: {}, status: LEAD.normal, createdBy: 'system' };
    return { ...own, fullname, email, ...more, ...kept(timeOf(serial * OF_A_LEAD)) };
  };

  const messagesOf = (at: number, { request_id, lead, agent }: Talk, random: () => number) =>
    Array.from({ length: MESSAGES }, (_, index) => {
      const when = new Date(timeOf(at).getTime() + index * MINUTE);
      const isVisitors = index % 2 === 0;
      const sender = isVisitors ? lead.lead_id : agent.id_user;
      const said = all[Math.floor(random() * all.length)] as string;
      return {
        ...{ _id: ids.message(when, at * MESSAGES + index), id_project, recipient: request_id, sender },
        senderFullname: isVisitors ? lead.fullname : 'Agent',
        text: index === 2 && at % step === 0 && at < step * RARE.times ? `${said} ${RARE.word}` : said,
        ...{ type: 'text', attributes: { subtype: 'text' }, language: 'en', channel: { name: 'chat21' } },
        ...{ channel_type: 'group', status: MESSAGE.received, createdBy: sender, ...kept(when) },
      };
    });

  const stateOf = (at: number, agent: Agent, random: () => number) => {
    const state = random();
    const opened = timeOf(at).getTime();
    const duration = Math.floor(random() * 60) * MINUTE;
    const served = {
      participants: [agent.id_user],
      participantsAgents: [agent.id_user],
      assigned_at: new Date(opened),
    };
    if (state >= CLOSED + WAITING) return { status: REQUEST.served, ...served };
    if (state >= CLOSED) return { status: REQUEST.unserved, participants: [], participantsAgents: [] };
    const closed = { closed_at: new Date(opened + duration), closed_by: agent.id_user, duration };
    return {
      status: REQUEST.closed,
      ...served,
      ...closed,
      waiting_time: MINUTE,
      first_response_at: new Date(opened + MINUTE),
    };
  };

  return (at: number) => {
    const random = chance(at + 2);
    const lead = leadOf(at);
    const agent = agents[Math.floor(random() * agents.length)] as Agent;
    const request_id = `support-group-${id_project}-${hex(at, 32)}`;
    const messages = messagesOf(at, { request_id, lead, agent }, random);
    const requester = { _id: lead._id, role: 'guest', id_project, uuid_user: lead.lead_id };
    const routed = { _id: department, name: 'Support', routing: 'pooled', default: true, status: 1, id_project };
    const request = {
      ...{ _id: ids.request(timeOf(at), at), id_project, request_id, ticket_id: at + 1, lead: lead._id },
      ...{ requester: requester._id, department, subject: all[Math.floor(random() * all.length)], hasBot: false },
      ...{
        first_text: messages[0]?.text,
        agents: agents.map((each) => ({ ...each, role: 'agent' })),
        preflight: false,
      },
      ...{ participantsBots: [], smartAssignment: true, priority: 'medium', followers: [], tags: [], notes: [] },
      ...{
        channel: { name: 'chat21' },
        channelOutbound: { name: 'chat21' },
        language: 'en',
        ...stateOf(at, agent, random),
      },
      contact: { email: lead.email },
      snapshot: { lead, requester, department: routed, availableAgentsCount: agents.length },
      attributes: { last_message: messages.at(-1) },
      ...{ createdBy: lead.lead_id, ...kept(timeOf(at)) },
    };
    return { request, messages, lead: at % OF_A_LEAD === 0 ? lead : null };
  };
};
