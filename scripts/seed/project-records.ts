/** Generates the records of a large project, with the fields that the service stores. */
import { CONVERSATION_STATUS } from '#shared/models/conversation.ts';
import { LEAD_STATUS } from '#shared/models/lead.ts';
import { MESSAGE_STATUS } from '#shared/models/message.ts';
import { makeSentences } from './random-texts.ts';
import { seededRandom } from './seeded-random.ts';

/** An agent of the project. */
export interface SeedAgent {
  /** The id of the membership. */
  _id: string;
  id_user: string;
}

/** The parameters of the generated records. */
export interface SeedOptions {
  id_project: string;
  department: string;
  agents: SeedAgent[];
  requests: number;
  /** Returns the time at which a conversation began. By default, conversations are spread evenly over 2024 and 2025. */
  timeOf?(number: number): Date;
  /** Changes the records of a conversation before they are stored. */
  vary?(records: ConversationRecords, number: number): ConversationRecords;
}

/**
 * This word occurs in up to `times` conversations of a project, so that a search for a rare word can be measured.
 * Without `timeOf`, they are spread evenly over time.
 */
export const RARE_WORD = { word: 'quetzalcoatl', times: 10 } as const;
/** The number of messages per conversation. */
const MESSAGES_PER_CONVERSATION = 5;
/** The number of conversations per lead. */
const CONVERSATIONS_PER_LEAD = 4;
const CLOSED_SHARE = 0.95;
const WAITING_SHARE = 0.04;

const START_MS = Date.UTC(2024, 0, 1);
const SPAN_MS = 730 * 86_400_000;
const MINUTE_MS = 60_000;

/** The parameters, and the sentences from which messages are drawn. */
interface SeedContext extends SeedOptions {
  sentencePool: string[];
}

const hex = (value: number, digits: number): string => Math.floor(value).toString(16).padStart(digits, '0');

/** Returns the creation time of a conversation by its number. */
const timeOf = ({ requests, timeOf: givenTimeOf }: SeedContext, number: number): Date =>
  givenTimeOf?.(number) ?? new Date(START_MS + Math.floor((number * SPAN_MS) / requests));

const ID_KINDS = { request: 1, message: 2, lead: 3 } as const;

/** Returns an id that sorts by time and differs for each project and kind of record. */
const idOf = (
  { id_project }: SeedContext,
  kind: keyof typeof ID_KINDS,
  { createdAt, serial }: { createdAt: Date; serial: number },
): string => `${hex(createdAt.getTime() / 1000, 8)}${id_project.slice(-6)}${hex(ID_KINDS[kind], 2)}${hex(serial, 8)}`;

const recordFields = (createdAt: Date) => ({ createdAt, updatedAt: createdAt, __v: 0 });

/** Returns the lead of a conversation. */
const leadOf = (context: SeedContext, number: number) => {
  const serial = Math.floor(number / CONVERSATIONS_PER_LEAD);
  const createdAt = timeOf(context, serial * CONVERSATIONS_PER_LEAD);
  const { id_project } = context;
  return {
    ...{ _id: idOf(context, 'lead', { createdAt, serial }), id_project, lead_id: `${id_project}-${serial}` },
    ...{ fullname: `Visitor ${serial}`, email: `visitor-${serial}@example.org`, tags: [], attributes: {} },
    ...{ status: LEAD_STATUS.normal, createdBy: 'system', ...recordFields(createdAt) },
  };
};

/** A conversation: its number (from 0), its participants, and its random number generator. */
interface ConversationSeed {
  number: number;
  request_id: string;
  lead: ReturnType<typeof leadOf>;
  agent: SeedAgent;
  random: () => number;
}

const pickOne = <T>(all: T[], random: () => number): T => all[Math.floor(random() * all.length)] as T;

/** Whether a message contains the rare word. It is in the third message of conversations at regular intervals. */
const hasRareWord = ({ requests }: SeedContext, number: number, index: number): boolean => {
  const step = Math.max(1, Math.floor(requests / RARE_WORD.times));
  return index === 2 && number % step === 0 && number < step * RARE_WORD.times;
};

const messageOf = (
  context: SeedContext,
  { number, request_id, lead, agent, random }: ConversationSeed,
  index: number,
) => {
  const createdAt = new Date(timeOf(context, number).getTime() + index * MINUTE_MS);
  const [sender, senderFullname] = index % 2 === 0 ? [lead.lead_id, lead.fullname] : [agent.id_user, 'Agent'];
  const sentence = pickOne(context.sentencePool, random);
  return {
    _id: idOf(context, 'message', { createdAt, serial: number * MESSAGES_PER_CONVERSATION + index }),
    ...{ id_project: context.id_project, recipient: request_id, sender, senderFullname },
    text: hasRareWord(context, number, index) ? `${sentence} ${RARE_WORD.word}` : sentence,
    ...{ type: 'text', attributes: { subtype: 'text' }, language: 'en', channel: { name: 'chat21' } },
    ...{ channel_type: 'group', status: MESSAGE_STATUS.received, createdBy: sender, ...recordFields(createdAt) },
  };
};

const stateOf = (openedMs: number, { agent, random }: ConversationSeed) => {
  const draw = random();
  const duration = Math.floor(random() * 60) * MINUTE_MS;
  const assignment = {
    participants: [agent.id_user],
    participantsAgents: [agent.id_user],
    assigned_at: new Date(openedMs),
  };
  if (draw >= CLOSED_SHARE + WAITING_SHARE) return { status: CONVERSATION_STATUS.served, ...assignment };
  if (draw >= CLOSED_SHARE) return { status: CONVERSATION_STATUS.unserved, participants: [], participantsAgents: [] };
  const answered = { waiting_time: MINUTE_MS, first_response_at: new Date(openedMs + MINUTE_MS) };
  const closed = { closed_at: new Date(openedMs + duration), closed_by: agent.id_user, duration };
  return { status: CONVERSATION_STATUS.closed, ...assignment, ...answered, ...closed };
};

const snapshotOf = ({ id_project, department, agents }: SeedContext, lead: ConversationSeed['lead']) => ({
  lead,
  requester: { _id: lead._id, role: 'guest', id_project, uuid_user: lead.lead_id },
  department: { _id: department, name: 'Support', routing: 'pooled', default: true, status: 1, id_project },
  availableAgentsCount: agents.length,
});

const requestOf = (context: SeedContext, conversation: ConversationSeed, messages: ReturnType<typeof messageOf>[]) => {
  const { id_project, department, agents, sentencePool } = context;
  const { number, request_id, lead, random } = conversation;
  const createdAt = timeOf(context, number);
  return {
    ...{ _id: idOf(context, 'request', { createdAt, serial: number }), id_project, request_id, ticket_id: number + 1 },
    ...{ lead: lead._id, requester: lead._id, department, subject: pickOne(sentencePool, random) },
    ...{ first_text: messages[0]?.text, agents: agents.map((agent) => ({ ...agent, role: 'agent' })), hasBot: false },
    ...{ participantsBots: [], smartAssignment: true, priority: 'medium', followers: [], tags: [], notes: [] },
    ...{ channel: { name: 'chat21' }, channelOutbound: { name: 'chat21' }, language: 'en', preflight: false },
    ...stateOf(createdAt.getTime(), conversation),
    contact: { email: lead.email },
    snapshot: snapshotOf(context, lead),
    attributes: { last_message: messages.at(-1) },
    ...{ createdBy: lead.lead_id, ...recordFields(createdAt) },
  };
};

/** The records of a conversation. Only the first conversation of a lead includes the lead. */
export interface ConversationRecords {
  request: Omit<ReturnType<typeof requestOf>, 'participantsBots'> & { participantsBots: string[] };
  messages: ReturnType<typeof messageOf>[];
  lead: ReturnType<typeof leadOf> | null;
}

/** Returns a function that generates the records of a conversation by its number (from 0). */
export const createRecordGenerator = (options: SeedOptions) => {
  const context: SeedContext = { ...options, sentencePool: makeSentences(seededRandom(1)) };
  const { vary = (records) => records } = options;
  return (number: number): ConversationRecords => {
    const random = seededRandom(number + 2);
    const lead = leadOf(context, number);
    const request_id = `support-group-${options.id_project}-${hex(number, 32)}`;
    const conversation: ConversationSeed = { number, request_id, lead, agent: pickOne(options.agents, random), random };
    const messages = Array.from({ length: MESSAGES_PER_CONVERSATION }, (_, index) =>
      messageOf(context, conversation, index),
    );
    const request = requestOf(context, conversation, messages);
    return vary({ request, messages, lead: number % CONVERSATIONS_PER_LEAD === 0 ? lead : null }, number);
  };
};
