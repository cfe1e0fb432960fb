import { writeDown } from '#shared/domain/conversations/bot-call-queue.ts';
import { callOf } from '#shared/domain/conversations/bot-calls.ts';
import type { Processor } from '#shared/jobs.ts';

/** A message for a bot is written down as a call that is due; the call itself is made by `bots.call`. */
const callBot: Processor<'events.call-bot'> = async (event) => {
  const call = await callOf(event);
  if (call) await writeDown(call);
};
export default callBot;
