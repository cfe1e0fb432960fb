/** Which bot gets a message, and what it is sent. */
import type { z } from 'zod';
import type { EventRef } from '../../jobs.ts';
import { Bot, BotView } from '../../models/bot.ts';
import { Change } from '../../models/change.ts';
import { MESSAGE, Message, MessageView, SYSTEM } from '../../models/message.ts';
import { readOne } from '../../read.ts';
import { sign } from '../../tokens.ts';
import { fieldsOf, isId } from '../../view.ts';
import type { DueCall, NewCall } from './bot-call-queue.ts';
import { isCommand } from './commands.ts';
import { advance } from './message-status.ts';
import { isDirect, type StoredMessage } from './messages.ts';
import { BOT, isBot } from './participants.ts';
import { departmentsOf } from './populating.ts';
import { lookUp, type StoredRequest, showOne } from './requests.ts';

type Hook = z.input<typeof BotView>;

/** A message on its way to a bot. */
export interface BotCall {
  /** Where the bot listens. */
  url: string;
  body: { timestamp: number; payload: object; hook: Hook; token: string };
}

/** The type of bots whose engine is our own: no server is called for them. */
const INTERNAL = 'internal';
const STARTS = new Set(['\\start', '/start']);

/** A message as its event holds it. */
interface Posted {
  sender: string;
  recipient: string;
  text?: string;
  channel_type?: string;
  request?: { request_id: string; participants?: string[] };
}

/** The system speaks to people, but for the word that starts a bot; a command is obeyed by the service itself. */
const isForBots = ({ sender, text }: Posted): boolean =>
  sender === SYSTEM.sender ? STARTS.has(text?.trim() ?? '') : !isCommand({ text });

const existing = (id_project: string, _id: string) => ({ id_project, _id, trashed: false });

const botOf = async (id_project: string, _id: unknown): Promise<Hook | null> =>
  isId(_id) ? readOne(Bot, existing(id_project, _id), fieldsOf(BotView)) : null;

const FIELDS = {
  ...{ 'payload.sender': 1, 'payload.recipient': 1, 'payload.text': 1, 'payload.channel_type': 1 },
  ...{ 'payload.request.request_id': 1, 'payload.request.participants': 1 },
} as const;

const postedIn = async ({ id_project, id: _id }: EventRef): Promise<Posted | undefined> =>
  (await Change.findOne({ id_project, _id }, FIELDS).lean<{ payload?: Posted }>())?.payload;

/** The id of the bot that gets the message; undefined where none does. */
const recipientOf = (posted: Posted): string | undefined => {
  const name = posted.channel_type === 'direct' ? posted.recipient : posted.request?.participants?.findLast(isBot);
  const id = name?.slice(BOT.length);
  return name && isBot(name) && posted.sender !== name && posted.sender !== id ? id : undefined;
};

const isCalled = async (id_project: string, _id: string): Promise<boolean> => {
  const bot = isId(_id) ? await readOne(Bot, existing(id_project, _id), { url: 1, type: 1 }) : null;
  return Boolean(bot?.url) && bot?.type !== INTERNAL;
};

/** The call that the event of a message makes due; null where no bot gets it. */
export const callOf = async (event: EventRef): Promise<NewCall | null> => {
  const posted = await postedIn(event);
  const bot = posted?.sender !== undefined && isForBots(posted) ? recipientOf(posted) : undefined;
  if (!bot || !(await isCalled(event.id_project, bot))) return null;
  return { event, bot, conversation: posted?.request?.request_id ?? event.record };
};

/** The conversation as bots know it: its people and department whole, and nothing of what they were. */
const requestFor = async (stored: StoredRequest, hook: Hook) => {
  const { snapshot: _, ...request } = await showOne(stored);
  const department = (await departmentsOf([stored], true))(stored);
  const first = department && (await botOf(stored.id_project, department.id_bot));
  const whole = first ? { ...department, bot: first } : department;
  return { ...request, department: whole ?? stored.department, participatingBots: [hook] };
};

/** Seconds for which a bot may answer with the token of its call; each attempt carries a new one. */
const CALL_TOKEN_TTL = 15 * 60;

/** A token for the answer to one call. It is not in the bot's history, and ends with its time, the bot or the secret. */
const tokenOf = ({ _id, id_project, name, type }: Hook, secret: string): string => {
  const id = String(_id);
  const terms = { sub: 'bot', ttl: CALL_TOKEN_TTL, signer: { kind: 'bots', id } as const, secret };
  return sign({ _id: id, id_project, name, type }, terms);
};

const hookOf = async (id_project: string, _id: string) => {
  const found = await readOne(Bot, existing(id_project, _id), { ...fieldsOf(BotView), secret: 1 });
  if (!found?.url || found.type === INTERNAL) return null;
  const { secret, ...hook } = found;
  return { url: found.url, hook: hook as Hook, secret };
};

const isIn = ({ participants }: StoredRequest, bot: string): boolean =>
  participants.findLast(isBot)?.slice(BOT.length) === bot;

/** What a bot is sent of a message, as both are now; null where the bot gets it no more. */
export const bodyOf = async ({ id_project, bot, message: _id }: DueCall): Promise<BotCall | null> => {
  const message = (await readOne(Message, { id_project, _id }, fieldsOf(MessageView))) as StoredMessage | null;
  if (!message) return null;
  const request = isDirect(message) ? null : await lookUp({ id_project, request_id: message.recipient });
  const found = request && !isIn(request, bot) ? null : await hookOf(id_project, bot);
  if (!found) return null;
  const { url, hook, secret } = found;
  const payload = { ...message, ...(request && { request: await requestFor(request, hook) }) };
  return { url, body: { timestamp: Date.now(), payload, hook, token: tokenOf(hook, secret) } };
};

/** The bot's server is called and has not answered yet. */
export const markDelivered = ({ id_project, message }: DueCall) =>
  advance({ id_project, _id: message }, MESSAGE.delivered);

/** The bot's server has accepted the message. */
export const markReceived = ({ id_project, message }: DueCall) =>
  advance({ id_project, _id: message }, MESSAGE.received);
