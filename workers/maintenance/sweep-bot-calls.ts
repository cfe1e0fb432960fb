import { enqueueCall, findOverdue } from '#shared/domain/conversations/bots/bot-call-queue.ts';
import type { Processor } from '#shared/jobs.ts';

/** Enqueues due bot calls whose wake-up was lost or whose worker died. */
const sweepBotCallsJob: Processor<'maintenance.sweep-bot-calls'> = async () => {
  for (const conversation of await findOverdue()) await enqueueCall(conversation);
};
export default sweepBotCallsJob;
