import { overdue, wake } from '#shared/domain/conversations/bot-call-queue.ts';
import type { Processor } from '#shared/jobs.ts';

/** Have the calls of bots made whose wake-up was lost or whose worker has died. */
const sweepBotCalls: Processor<'upkeep.sweep-bot-calls'> = async () => {
  for (const conversation of await overdue()) await wake(conversation);
};
export default sweepBotCalls;
