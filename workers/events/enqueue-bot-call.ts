import { recordCall } from '#shared/domain/conversations/bots/bot-call-queue.ts';
import { newCallFor } from '#shared/domain/conversations/bots/bot-calls.ts';
import type { Processor } from '#shared/jobs.ts';

/**
 * Stores the call for a message addressed to a bot, or for the start of a conversation with a bot; the job `bots.call`
 * makes the call.
 */
const enqueueBotCallJob: Processor<'events.enqueue-bot-call'> = async (event) => {
  const call = await newCallFor(event);
  if (call) await recordCall(call);
};
export default enqueueBotCallJob;
