import { config } from '#shared/config.ts';
import { closeIdle } from '#shared/domain/conversations/lifecycle/close-idle.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';

/** Closes idle conversations with a bot, if `CLOSE_IDLE_CONVERSATIONS_WITH_BOT` is true. */
const closeIdleConversationsWithBotJob: Processor<'maintenance.close-idle-conversations-with-bot'> = async () => {
  if (!config.CLOSE_IDLE_CONVERSATIONS_WITH_BOT) return;
  const closed = await closeIdle({ hasBot: true, seconds: config.CLOSE_IDLE_CONVERSATIONS_WITH_BOT_AFTER_SECONDS });
  if (closed) logger.info({ closed }, 'idle conversations with a bot closed');
};
export default closeIdleConversationsWithBotJob;
