/** The queue of calls to bots. Each message addressed to a bot is one call. */
import { AppError } from '../../../errors.ts';
import type { EventRef } from '../../../job-definitions.ts';
import type { Payload } from '../../../jobs.ts';
import { BotCall } from '../../../models/bot-call.ts';
import { enqueue } from '../../../queue/queue.ts';
import { currentTime, currentTimeMs } from '../../../time/clock.ts';
import { errorText, retryDelayMs, writeDeadLetter } from '../../events/dead-letters.ts';
import {
  abandonCall,
  completeCall,
  findNext,
  OPEN_CALL_FILTER,
  renewCall,
  retryCall,
  takeCall,
} from '../../outgoing-calls/call-queue.ts';
import type { CallModel, CallQueue, TakenCall } from '../../outgoing-calls/queue-definition.ts';

/** The value of `failedBy` in the dead letters of calls. */
export const BOT_CALL_CONSUMER = 'events.enqueue-bot-call';
const SLOTS_PER_BOT = 4;
const SLOTS_PER_PROJECT = 16;
const MAX_ATTEMPTS = 5;
/**
 * A failed call is given up this long after it was recorded or reopened, so that a failing bot does not block its
 * conversations.
 */
const MAX_AGE_MS = 3_600_000;
const SWEEP_PER_PROJECT = 16;

/** A conversation and one of its bots. The calls to the bot in this conversation are made one after another. */
export interface BotConversation {
  id_project: string;
  bot: string;
  conversation: string;
}

/** A call to record. */
export interface NewCall {
  event: EventRef;
  bot: string;
  conversation: string;
  /** Whether the call sends a hidden message (`text`, by default the command `\start`), which is not stored. */
  hidden?: boolean;
  /** The text of a trigger's hidden message. The bot need not be a participant. */
  text?: string;
}

/** A call that a worker has taken. */
export interface TakenBotCall extends BotConversation, TakenCall {
  /** Id of the stored message; for a hidden message, the id of the event's record. */
  message: string;
  hidden?: boolean | null;
  text?: string | null;
  /** Id, name and position of the event in the changes log. */
  event: string;
  event_name: string;
  position: string;
  reopenedAt?: Date | null;
}

/** Enqueues the job that makes the calls of a conversation. The job runs after `delayMs`. */
export const enqueueCall = (key: BotConversation, delayMs = 0): Promise<void> =>
  enqueue('bots.call', key satisfies Payload<'bots.call'>, delayMs);

const QUEUE: CallQueue<BotConversation, TakenBotCall> = {
  model: BotCall as unknown as CallModel,
  keyOf: ({ id_project, bot, conversation }) => ({ id_project, bot, conversation }),
  receiverField: 'bot',
  slotField: 'bot_slot',
  slotsPerReceiver: SLOTS_PER_BOT,
  slotsPerProject: SLOTS_PER_PROJECT,
  enqueue: enqueueCall,
};

/** Takes the next call of a conversation. Returns null if none is due, another worker has it, or no slot is free. */
export const takeNextCall = (key: BotConversation): Promise<TakenBotCall | null> => takeCall(QUEUE, key);

/** Renews the lease of a call that is being made. */
export const renewLease = (call: TakenBotCall): Promise<void> => renewCall(QUEUE, call);

/** Completes a call that was made or has become obsolete. */
export const finishCall = (call: TakenBotCall): Promise<void> => completeCall(QUEUE, call);

/** Returns the conversation whose call can use the slots that `call` has released, or null if there is none. */
export const nextConversation = (call: TakenBotCall): Promise<BotConversation | null> => findNext(QUEUE, call);

/** Reopens a call if it was given up. Called when its event is replayed. */
const reopenCall = (_id: string, id_project: string) => {
  const now = currentTime();
  const reopened = { dueAt: now, reopenedAt: now, attemptsMade: 0 };
  return BotCall.updateOne({ _id, id_project, given_up: true }, { $set: reopened, $unset: { given_up: 1, error: 1 } });
};

/**
 * Whether the conversation has an earlier open call, which is neither completed nor given up. The worker that makes it
 * also makes the later calls.
 */
const isBehindOpenCall = async ({ event: { id_project, position }, bot, conversation }: NewCall): Promise<boolean> =>
  (await BotCall.exists({ id_project, bot, conversation, ...OPEN_CALL_FILTER, position: { $lt: position } })) !== null;

/**
 * Reopens those calls for an event that were given up, and enqueues them. `eventId` is the id of an event in the
 * changes log or of a trigger's action. Returns the number of reopened calls.
 */
export const replayCalls = async (id_project: string, eventId: string): Promise<number> => {
  const givenUp = { id_project, event: eventId, given_up: true };
  const calls = await BotCall.find(givenUp, { bot: 1, conversation: 1 }).lean();
  for (const { _id, bot, conversation } of calls) {
    await reopenCall(_id, id_project);
    await enqueueCall({ id_project, bot, conversation });
  }
  return calls.length;
};

/**
 * Records a call, and enqueues it unless it waits for an earlier call. Idempotent per event and bot, except that a call
 * that was given up is reopened. The write uses the default write concern, by which a majority of the MongoDB servers
 * must acknowledge it. Otherwise, the election of another primary might undo the write, and the call would be lost,
 * because the listener would not see the event again.
 */
export const recordCall = async (newCall: NewCall): Promise<void> => {
  const { event, bot, conversation, hidden, text } = newCall;
  const { id: eventId, id_project, event: event_name, record: messageId, position } = event;
  const _id = `${eventId} ${bot}`;
  const due = { dueAt: currentTime(), attemptsMade: 0 };
  const messageFields = { message: messageId, ...(hidden && { hidden }), ...(text !== undefined && { text }) };
  const call = { bot, conversation, ...messageFields, event: eventId, event_name, position, ...due };
  const written = await BotCall.updateOne({ _id, id_project }, { $setOnInsert: call }, { upsert: true });
  if (!written.upsertedCount) await reopenCall(_id, id_project);
  if (!(await isBehindOpenCall(newCall))) await enqueueCall({ id_project, bot, conversation });
};

const giveUp = async (call: TakenBotCall, error: unknown): Promise<void> => {
  const { id_project, event: eventId, event_name, message: messageId, position, attemptsMade } = call;
  const event = { id: eventId, id_project, event: event_name, record: messageId, position };
  await writeDeadLetter(BOT_CALL_CONSUMER, event, { attemptsMade, error });
  await abandonCall(QUEUE, call, { error: errorText(error) });
};

const isLastAttempt = ({ attemptsMade, createdAt, reopenedAt }: TakenBotCall): boolean =>
  attemptsMade >= MAX_ATTEMPTS || currentTimeMs() - (reopenedAt ?? createdAt).getTime() > MAX_AGE_MS;

/**
 * Records a failed attempt and schedules the next one. The call becomes a dead letter after the last attempt, or
 * immediately after an `AppError`, which a retry cannot fix.
 */
export const failCall = async (call: TakenBotCall, error: unknown): Promise<void> => {
  if (error instanceof AppError || isLastAttempt(call)) return giveUp(call, error);
  const dueAt = new Date(currentTimeMs() + retryDelayMs(call.attemptsMade));
  await retryCall(QUEUE, call, { dueAt, error: errorText(error) });
};

/** Returns a few conversations per project whose calls are overdue, because a wake-up was lost or a worker died. */
export const findOverdue = async (): Promise<BotConversation[]> => {
  const first = { $firstN: { n: SWEEP_PER_PROJECT, input: '$_id' } };
  const projects = await BotCall.aggregate<{ conversations: BotConversation[] }>([
    { $match: { dueAt: { $lte: currentTime() } } },
    {
      $group: {
        _id: { id_project: '$id_project', bot: '$bot', conversation: '$conversation' },
        dueAt: { $min: '$dueAt' },
      },
    },
    { $sort: { dueAt: 1 } },
    { $group: { _id: '$_id.id_project', conversations: first } },
  ]).option({ anyProject: true });
  return projects.flatMap(({ conversations }) => conversations);
};
