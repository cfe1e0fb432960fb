/** Calls bots for the actions of triggers. */
import { recordCall } from '../conversations/bots/bot-call-queue.ts';
import { isStartCommand } from '../conversations/bots/bot-calls.ts';
import { botIdOf, isBot } from '../conversations/participants.ts';
import type { TriggerPayload } from './facts.ts';
import type { DueRun } from './run-queue.ts';

const START_TEXT = '/start';

/** Stores and enqueues a call to a bot with a hidden message: one that no conversation contains. Idempotent. */
export const callBot = (
  { _id, next, id_project, event, record, position, conversation }: DueRun,
  { bot, text = START_TEXT }: { bot: string; text?: string },
): Promise<void> =>
  recordCall({
    event: { id: `${_id}.${next}`, id_project, event, record, position },
    bot: isBot(bot) ? botIdOf(bot) : bot,
    conversation,
    hidden: true,
    text,
  });

/**
 * Starts the bot that participates in the conversation. A bot that has just become a participant is started by the
 * event that records its joining, so such a bot is called only if `text` is not the start command. The event that
 * started the trigger states whether the bot was already present, so a repeated action makes the same decision.
 */
export const launchBot = async (
  { run, payload }: { run: DueRun; payload: TriggerPayload },
  participants: string[],
  text = START_TEXT,
): Promise<void> => {
  const bot = participants.findLast(isBot);
  const wasPresent = (payload.request?.participants ?? payload.participants ?? []).includes(bot ?? '');
  if (bot && (wasPresent || !isStartCommand(text))) await callBot(run, { bot, text });
};
