/** Decides which bot receives a message and builds the request to its server. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { readOne } from '../../../database/raw-read.ts';
import type { EventRef } from '../../../job-definitions.ts';
import { Bot, BotView, INTERNAL_BOT_TYPE, TILEBOT_TYPE } from '../../../models/bot.ts';
import { MESSAGE_STATUS, Message, MessageView, SYSTEM_SENDER } from '../../../models/message.ts';
import { signToken } from '../../../security/tokens.ts';
import { currentTimeMs } from '../../../time/clock.ts';
import { isId, projectionOf } from '../../../wire/view.ts';
import { botIdOf, currentBot, isBot } from '../participants.ts';
import { isDraftPage, lookUp, type StoredConversation, teamView } from '../conversation.ts';
import { isCommand } from '../messages/build-message.ts';
import { advanceStatus, isDirect, type StoredMessage } from '../messages/messages.ts';
import { findLoggedEvent } from '../../events/logged-event.ts';
import { departmentLookup } from '../population.ts';
import type { TakenBotCall, NewCall } from './bot-call-queue.ts';

type BotRecord = z.input<typeof BotView>;

/** An HTTP request to the server of a bot. */
export interface OutgoingBotCall {
  /** The URL of the bot's server. */
  url: string;
  /** Identifies the call. It is the same in every attempt. */
  id: string;
  /** The bot secret, which signs the request. */
  secret: string;
  body: object;
}

const START_COMMAND = '\\start';
const START_COMMANDS = new Set([START_COMMAND, '/start']);
const ID_DIGITS = 24;

/** Whether a string is the command that starts a conversation with a bot. */
export const isStartCommand = (text?: string): boolean => START_COMMANDS.has(text?.trim() ?? '');

/** The fields that select the bot, from an event about a message or about a conversation with a new participant. */
interface CallPayload {
  sender?: string;
  recipient?: string;
  text?: string;
  channel?: { name: string };
  channel_type?: string;
  first_text?: string;
  request_id?: string;
  participants?: string[];
  member?: string;
  addedParticipants?: string[];
  request?: { request_id: string; participants?: string[] };
  /** The bot of the conversation at the time of the write; absent if the event does not contain it. */
  bot?: string | null;
}

/**
 * Whether bots receive a message. They do not receive `\close` and `\agent`, because this system executes these
 * commands itself. The start command is the only system message that they receive.
 */
const isForBots = ({ sender, text, channel }: CallPayload): boolean =>
  sender === SYSTEM_SENDER.sender ? isStartCommand(text) : !isCommand({ text, channel });

const activeBot = (id_project: string, _id: string) => ({ id_project, _id, trashed: false });

const findBot = async (id_project: string, _id: unknown): Promise<BotRecord | null> =>
  isId(_id) ? readOne(Bot, activeBot(id_project, _id), projectionOf(BotView)) : null;

const readPayload = async (event: EventRef): Promise<CallPayload | undefined> => {
  const found = await findLoggedEvent(event);
  return found?.payload && { ...found.payload, ...found.context };
};

/**
 * Returns the bot that the conversation had when the event was emitted: `bot`, which comes from the context of the
 * event. The conversation in the payload is newer, from when the event was relayed; its bot may have joined in the
 * meantime, and would receive messages from before its start command. The participants in the payload are used only if
 * the context has no `bot`.
 */
const botAtWrite = ({ bot, participants, request }: CallPayload): string | null =>
  bot === undefined ? currentBot(request?.participants ?? participants ?? []) : bot;

/**
 * Returns the id of the bot that receives the message: the recipient of a direct message, or the last bot among the
 * participants.
 */
const recipientBot = (payload: CallPayload): string | undefined => {
  const name = (payload.channel_type === 'direct' ? payload.recipient : botAtWrite(payload)) ?? undefined;
  const id = name && botIdOf(name);
  return name && isBot(name) && payload.sender !== name && payload.sender !== id ? id : undefined;
};

/**
 * Returns the id of the bot that starts in a conversation: the last bot of a new conversation, or a bot that joins.
 * Returns undefined if the client has sent the start command itself.
 */
const startedBot = (payload: CallPayload) => {
  const { first_text, member, addedParticipants } = payload;
  const added = member === undefined ? addedParticipants : [member];
  const bot = botAtWrite(payload) ?? undefined;
  const isNew = added ? added.includes(bot ?? '') : !isStartCommand(first_text);
  return bot && isNew ? botIdOf(bot) : undefined;
};

/** Whether a bot can be called: it has intents for the built-in engine, or a server. */
const isCallable = async (id_project: string, _id: string): Promise<boolean> => {
  const fields = { url: 1, type: 1, intents_version: 1 } as const;
  const bot = isId(_id) ? await readOne(Bot, activeBot(id_project, _id), fields) : null;
  return Boolean(bot?.type === INTERNAL_BOT_TYPE ? bot.intents_version : bot?.url);
};

const messageCall = (event: EventRef, payload: CallPayload) => ({
  event,
  bot: isForBots(payload) ? recipientBot(payload) : undefined,
  conversation: payload.request?.request_id ?? event.record,
});

const startCall = (event: EventRef, payload: CallPayload) => ({
  event,
  bot: startedBot(payload),
  conversation: payload.request_id ?? payload.request?.request_id ?? '',
  hidden: true,
});

/** Returns the call to make for an event, or null if the event calls no bot. */
export const newCallFor = async (event: EventRef): Promise<NewCall | null> => {
  const payload = await readPayload(event);
  if (!payload) return null;
  const { bot, ...call } = payload.sender === undefined ? startCall(event, payload) : messageCall(event, payload);
  return bot && (await isCallable(event.id_project, bot)) ? { ...call, bot } : null;
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
 * Signs the token that a bot uses to answer one call. The token becomes invalid after its lifetime, and when the bot is
 * deleted or its secret is renewed.
 */
const callToken = ({ _id, id_project, name, type }: BotRecord, secret: string): string => {
  const id = String(_id);
  const options = { sub: 'bot', ttlSeconds: CALL_TOKEN_SECONDS, signer: { kind: 'bots', id } as const, secret };
  return signToken({ _id: id, id_project, name, type }, options);
};

const CALLED_BOT_FIELDS = {
  ...projectionOf(BotView),
  ...({ secret: 1, intents_version: 1, published_id: 1 } as const),
};

const isCurrentBot = ({ participants }: StoredConversation, bot: string): boolean => {
  const current = currentBot(participants);
  return current !== null && botIdOf(current) === bot;
};

/** Builds the hidden message that starts a conversation with a bot or that a trigger sends. It is not stored. */
const hiddenMessage = (
  { event: eventId, id_project, createdAt, text }: TakenBotCall,
  { request_id, language }: StoredConversation,
) => ({
  _id: createHash('sha256').update(eventId).digest('hex').slice(0, ID_DIGITS),
  ...{ id_project, recipient: request_id, ...SYSTEM_SENDER, text: text ?? START_COMMAND, type: 'text', language },
  attributes: { subtype: 'info', updateconversation: false },
  ...{ channel: { name: 'chat21' }, channel_type: 'group', status: MESSAGE_STATUS.sending },
  ...{ createdBy: SYSTEM_SENDER.sender, createdAt, updatedAt: createdAt, __v: 0 },
});

/** The records that a call needs: the message, the bot and, unless the message is direct, the conversation. */
export interface LoadedCall {
  message: StoredMessage;
  request: StoredConversation | null;
  bot: BotRecord & { intents_version?: number | null; published_id?: string | null };
  secret: string;
}

/**
 * Reads the current records of a call. Returns null if the message, the bot or, for a hidden message, the conversation
 * was deleted, or if the bot was replaced.
 */
export const loadCall = async (call: TakenBotCall): Promise<LoadedCall | null> => {
  const { id_project, bot, message: messageId, conversation: request_id, hidden } = call;
  const stored = hidden
    ? null
    : ((await readOne(Message, { id_project, _id: messageId }, projectionOf(MessageView))) as StoredMessage | null);
  if (!stored && !hidden) return null;
  const request = stored && isDirect(stored) ? null : await lookUp({ id_project, request_id });
  if (hidden && !request) return null;
  const isReplaced = request !== null && call.text == null && !isCurrentBot(request, bot);
  const found = isReplaced ? null : await readOne(Bot, activeBot(id_project, bot), CALLED_BOT_FIELDS);
  if (!found) return null;
  const { secret, ...hook } = found;
  const message = stored ?? hiddenMessage(call, request as StoredConversation);
  return { message, request, bot: hook, secret };
};

/** Returns the bot as its server receives it in the field `hook`. */
const hookOf = ({ bot }: LoadedCall): BotRecord => {
  const { intents_version: _, published_id: __, ...hook } = bot;
  return hook;
};

/** Returns the message with its conversation, as bots receive it. */
export const messagePayload = async (loaded: LoadedCall) => {
  const { message, request } = loaded;
  return { ...message, ...(request && { request: await conversationBody(request, hookOf(loaded)) }) };
};

/** Signs the token that the bot uses to answer a call. */
export const tokenOf = (loaded: LoadedCall): string => callToken(loaded.bot, loaded.secret);

/** Returns the URL to call. In draft mode (see `isDraftPage`), the bot itself is called, not its published copy. */
const draftUrl = (url: string, { bot, request }: LoadedCall): string => {
  const { sourcePage } = (request?.attributes ?? {}) as { sourcePage?: unknown };
  const isDraft = bot.type === TILEBOT_TYPE && isDraftPage(sourcePage);
  return isDraft ? url.replace(/[^/]*$/, String(bot._id)) : url;
};

/** Builds the request to the server of an external bot. Returns null for an internal bot or a bot without a server. */
export const buildCall = async (loaded: LoadedCall): Promise<OutgoingBotCall | null> => {
  const { bot, secret } = loaded;
  if (!bot.url || bot.type === INTERNAL_BOT_TYPE) return null;
  const payload = await messagePayload(loaded);
  const body = { timestamp: currentTimeMs(), payload, hook: hookOf(loaded), token: tokenOf(loaded) };
  return { url: draftUrl(bot.url, loaded), id: String(loaded.message._id), secret, body };
};

/** Sets the status of the message to `delivered` when the call to the bot's server starts. */
export const markCallStarted = async ({ id_project, message: messageId, hidden }: TakenBotCall): Promise<void> => {
  if (!hidden) await advanceStatus({ id_project, _id: messageId }, MESSAGE_STATUS.delivered);
};

/** Sets the status of the message to `received` when the bot has accepted the message. */
export const markCallAccepted = async ({ id_project, message: messageId, hidden }: TakenBotCall): Promise<void> => {
  if (!hidden) await advanceStatus({ id_project, _id: messageId }, MESSAGE_STATUS.received);
};
