import { config } from '#shared/config.ts';
import { closeIdle } from '#shared/domain/conversations/idle.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';

/** Conversations with a bot that their visitors have left end by themselves. */
const close: Processor<'upkeep.close-idle-bots'> = async () => {
  if (!config.CLOSE_IDLE_BOTS) return;
  const closed = await closeIdle({ hasBot: true, seconds: config.CLOSE_IDLE_BOTS_AFTER });
  if (closed) logger.info({ closed }, 'idle conversations with bots were closed');
};
export default close;
