import { config } from '#shared/config.ts';
import { closeIdle } from '#shared/domain/conversations/lifecycle/close-idle.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';

/** Closes idle conversations with bots, if `CLOSE_IDLE_BOTS` is true. */
const closeIdleBotsJob: Processor<'maintenance.close-idle-bots'> = async () => {
  if (!config.CLOSE_IDLE_BOTS) return;
  const closed = await closeIdle({ hasBot: true, seconds: config.CLOSE_IDLE_BOTS_AFTER_SECONDS });
  if (closed) logger.info({ closed }, 'idle conversations with bots closed');
};
export default closeIdleBotsJob;
