import { recordCall } from '#shared/domain/conversations/bots/bot-call-queue.ts';
import { newCallFor } from '#shared/domain/conversations/bots/bot-calls.ts';
import type { Processor } from '#shared/jobs.ts';

/**
 * Stores a call to a bot for a message to the bot or for the start of a conversation with it. The `bots.call` job makes
 * the call.
 */
const enqueueBotCallJob: Processor<'events.enqueue-bot-call'> = async (event) => {
  const call = await newCallFor(event);
  if (call) await recordCall(call);
};
export default enqueueBotCallJob;
