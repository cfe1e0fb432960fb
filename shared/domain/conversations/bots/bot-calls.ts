/** Decides which bot receives a message and builds the request to its server. */
import type { z } from 'zod';
import { readOne } from '../../../database/raw-read.ts';
import type { EventRef } from '../../../jobs.ts';
import { Bot, BotView } from '../../../models/bot.ts';
import { Change } from '../../../models/change.ts';
import { MESSAGE_STATUS, Message, MessageView, SYSTEM_SENDER } from '../../../models/message.ts';
import { signToken } from '../../../security/tokens.ts';
import { isId, projectionOf } from '../../../wire/view.ts';
import { BOT_PREFIX, isBot } from '../assignment/participants.ts';
import { lookUp, type StoredConversation, teamView } from '../conversation.ts';
import { isCommand } from '../posting/commands.ts';
import { advanceStatus, isDirect, type StoredMessage } from '../messages/messages.ts';
import { departmentLookup } from '../population.ts';
import type { DueCall, NewCall } from './bot-call-queue.ts';

type BotRecord = z.input<typeof BotView>;

/** An HTTP request to the server of a bot. */
export interface OutgoingBotCall {
  /** The URL of the bot's server. */
  url: string;
  body: { timestamp: number; payload: object; hook: BotRecord; token: string };
}

/** Bots of this type run on the built-in engine; no server is called for them. */
const INTERNAL_BOT_TYPE = 'internal';
const START_COMMANDS = new Set(['\\start', '/start']);

/** The fields of a message that its event carries and that select the bot. */
interface MessagePayload {
  sender: string;
  recipient: string;
  text?: string;
  channel_type?: string;
  request?: { request_id: string; participants?: string[] };
}

/** Bots receive no commands, which the service executes itself, and of the system messages only the start command. */
const isForBots = ({ sender, text }: MessagePayload): boolean =>
  sender === SYSTEM_SENDER.sender ? START_COMMANDS.has(text?.trim() ?? '') : !isCommand({ text });

const activeBot = (id_project: string, _id: string) => ({ id_project, _id, trashed: false });

const findBot = async (id_project: string, _id: unknown): Promise<BotRecord | null> =>
  isId(_id) ? readOne(Bot, activeBot(id_project, _id), projectionOf(BotView)) : null;

const PAYLOAD_FIELDS = {
  ...{ 'payload.sender': 1, 'payload.recipient': 1, 'payload.text': 1, 'payload.channel_type': 1 },
  ...{ 'payload.request.request_id': 1, 'payload.request.participants': 1 },
} as const;

const readPayload = async ({ id_project, id: _id }: EventRef): Promise<MessagePayload | undefined> =>
  (await Change.findOne({ id_project, _id }, PAYLOAD_FIELDS).lean<{ payload?: MessagePayload }>())?.payload;

/**
 * Returns the id of the bot that receives the message: the recipient of a direct message, or the last bot among the
 * participants.
 */
const recipientBot = (payload: MessagePayload): string | undefined => {
  const name = payload.channel_type === 'direct' ? payload.recipient : payload.request?.participants?.findLast(isBot);
  const id = name?.slice(BOT_PREFIX.length);
  return name && isBot(name) && payload.sender !== name && payload.sender !== id ? id : undefined;
};

const hasServer = async (id_project: string, _id: string): Promise<boolean> => {
  const bot = isId(_id) ? await readOne(Bot, activeBot(id_project, _id), { url: 1, type: 1 }) : null;
  return Boolean(bot?.url) && bot?.type !== INTERNAL_BOT_TYPE;
};

/** Returns the call to make for a message event, or null if no bot receives the message. */
export const newCallFor = async (event: EventRef): Promise<NewCall | null> => {
  const payload = await readPayload(event);
  const bot = payload?.sender !== undefined && isForBots(payload) ? recipientBot(payload) : undefined;
  if (!bot || !(await hasServer(event.id_project, bot))) return null;
  return { event, bot, conversation: payload?.request?.request_id ?? event.record };
};

/** Returns the conversation as bots receive it: populated participants and department, without the snapshot. */
const conversationBody = async (stored: StoredConversation, hook: BotRecord) => {
  const { snapshot: _, ...request } = await teamView(stored);
  const department = (await departmentLookup([stored], true))(stored);
  const departmentBot = department && (await findBot(stored.id_project, department.id_bot));
  const populated = departmentBot ? { ...department, bot: departmentBot } : department;
  return { ...request, department: populated ?? stored.department, participatingBots: [hook] };
};

/** Lifetime of the token of a call. Each attempt carries a new token. */
const CALL_TOKEN_SECONDS = 15 * 60;

/**
 * Signs the token with which a bot answers one call. The token also becomes invalid when the bot is deleted or gets a
 * new secret.
 */
const callToken = ({ _id, id_project, name, type }: BotRecord, secret: string): string => {
  const id = String(_id);
  const options = { sub: 'bot', ttlSeconds: CALL_TOKEN_SECONDS, signer: { kind: 'bots', id } as const, secret };
  return signToken({ _id: id, id_project, name, type }, options);
};

const readHook = async (id_project: string, _id: string) => {
  const found = await readOne(Bot, activeBot(id_project, _id), { ...projectionOf(BotView), secret: 1 });
  if (!found?.url || found.type === INTERNAL_BOT_TYPE) return null;
  const { secret, ...hook } = found;
  return { url: found.url, hook: hook as BotRecord, secret };
};

const isCurrentBot = ({ participants }: StoredConversation, bot: string): boolean =>
  participants.findLast(isBot)?.slice(BOT_PREFIX.length) === bot;

/** Builds the request for a call from the current records; null if the bot no longer receives the message. */
export const buildCall = async ({ id_project, bot, message: _id }: DueCall): Promise<OutgoingBotCall | null> => {
  const message = (await readOne(Message, { id_project, _id }, projectionOf(MessageView))) as StoredMessage | null;
  if (!message) return null;
  const request = isDirect(message) ? null : await lookUp({ id_project, request_id: message.recipient });
  const found = request && !isCurrentBot(request, bot) ? null : await readHook(id_project, bot);
  if (!found) return null;
  const { url, hook, secret } = found;
  const payload = { ...message, ...(request && { request: await conversationBody(request, hook) }) };
  return { url, body: { timestamp: Date.now(), payload, hook, token: callToken(hook, secret) } };
};

/** Gives the message the status delivered, because the call to the bot's server starts. */
export const markCallStarted = ({ id_project, message }: DueCall) =>
  advanceStatus({ id_project, _id: message }, MESSAGE_STATUS.delivered);

/** Gives the message the status received, because the bot's server has accepted the call. */
export const markCallAccepted = ({ id_project, message }: DueCall) =>
  advanceStatus({ id_project, _id: message }, MESSAGE_STATUS.received);
