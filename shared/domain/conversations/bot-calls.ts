/** Which bot is to hear a message, and what it is told (contract b 3.9, c 6.11 and 6.14). */
import type { z } from 'zod';
import { config } from '../../config.ts';
import { Bot, BotView } from '../../models/bot.ts';
import { MESSAGE, Message, SYSTEM } from '../../models/message.ts';
import { readOne } from '../../read.ts';
import { sign } from '../../tokens.ts';
import { fieldsOf, isId } from '../../view.ts';
import { secretOf } from '../team/bots.ts';
import { isCommand } from './commands.ts';
import { advance } from './message-status.ts';
import { isDirect, read, type StoredMessage } from './messages.ts';
import { BOT, isBot } from './participants.ts';
import { lookUp, type StoredRequest, showOne } from './requests.ts';

type Hook = z.input<typeof BotView>;

/** A message on its way to a bot. */
export interface BotCall {
  /** Where the bot listens. */
  url: string;
  bot: string;
  body: { timestamp: number; payload: object; hook: Hook; token: string };
}

/** The type of bots whose engine is our own: no server is called for them. */
const INTERNAL = 'internal';
const STARTS = new Set(['\\start', '/start']);

/** The system speaks to people, but for the word that starts a bot; a command is obeyed by the service itself. */
const isForBots = (message: StoredMessage): boolean =>
  message.sender === SYSTEM.sender ? STARTS.has(message.text?.trim() ?? '') : !isCommand(message);

const botOf = async (id_project: string, _id: unknown): Promise<Hook | null> =>
  isId(_id) ? readOne(Bot, { id_project, _id, trashed: false }, fieldsOf(BotView)) : null;

/** The conversation as bots know it: its people and department whole, and nothing of what they were. */
const requestFor = async (stored: StoredRequest, hook: Hook) => {
  const { snapshot, ...request } = await showOne(stored);
  const { department } = snapshot;
  const first = department && (await botOf(stored.id_project, department.id_bot));
  const whole = first ? { ...department, bot: first } : department;
  return { ...request, department: whole ?? request.department, participatingBots: [hook] };
};

/** Not noted in the bot's history, which one for each message would fill; it ends with the bot, or by its time. */
const tokenOf = async ({ _id, id_project, name, type }: Hook): Promise<string> => {
  const id = String(_id);
  const secret = await secretOf(id_project, id);
  const terms = { sub: 'bot', ttl: config.TOKEN_TTL, signer: { kind: 'bots', id } as const, secret };
  return sign({ _id: id, id_project, name, type }, terms);
};

const nameOfBot = ({ recipient }: StoredMessage, request: StoredRequest | null): string =>
  (request ? request.participants.findLast(isBot) : recipient) ?? '';

/** What a message has a bot called with; null where none is to hear it, or the bot has heard it. */
export const callFor = async (id_project: string, _id: string): Promise<BotCall | null> => {
  const heard = await readOne(Message, { id_project, _id }, { heard_by: 1 });
  if (!heard) return null;
  const message = await read(id_project, _id);
  if (!isForBots(message)) return null;
  const request = isDirect(message) ? null : await lookUp({ id_project, request_id: message.recipient });
  const name = nameOfBot(message, request);
  const id = name.slice(BOT.length);
  if (!isBot(name) || [name, id].includes(message.sender) || heard.heard_by === id) return null;
  const hook = await botOf(id_project, id);
  if (!hook?.url || hook.type === INTERNAL) return null;
  const payload = { ...message, ...(request && { request: await requestFor(request, hook) }) };
  return { url: hook.url, bot: id, body: { timestamp: Date.now(), payload, hook, token: await tokenOf(hook) } };
};

/** The message is with the bot's server, which has not answered yet. */
export const isOnItsWay = (id_project: string, _id: string) => advance({ id_project, _id }, MESSAGE.delivered);

/** The bot has it: it is told no second time. */
export const isHeard = async (id_project: string, _id: string, heard_by: string): Promise<void> => {
  await Message.updateOne({ id_project, _id }, { $set: { heard_by } });
  await advance({ id_project, _id }, MESSAGE.received);
};
