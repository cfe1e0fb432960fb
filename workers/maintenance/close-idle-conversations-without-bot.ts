import { config } from '#shared/config.ts';
import { closeIdle } from '#shared/domain/conversations/lifecycle/close-idle.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';

/** Closes idle conversations without a bot, if `CLOSE_IDLE_CONVERSATIONS_WITHOUT_BOT` is true. */
const closeIdleConversationsWithoutBotJob: Processor<'maintenance.close-idle-conversations-without-bot'> = async () => {
  if (!config.CLOSE_IDLE_CONVERSATIONS_WITHOUT_BOT) return;
  const closed = await closeIdle({ hasBot: false, seconds: config.CLOSE_IDLE_CONVERSATIONS_WITHOUT_BOT_AFTER_SECONDS });
  if (closed) logger.info({ closed }, 'idle conversations without a bot closed');
};
export default closeIdleConversationsWithoutBotJob;
