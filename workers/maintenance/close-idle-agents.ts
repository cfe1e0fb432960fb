import { config } from '#shared/config.ts';
import { closeIdle } from '#shared/domain/conversations/lifecycle/close-idle.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';

/** Closes idle conversations without a bot, if `CLOSE_IDLE_AGENTS` is true. */
const closeIdleAgentsJob: Processor<'maintenance.close-idle-agents'> = async () => {
  if (!config.CLOSE_IDLE_AGENTS) return;
  const closed = await closeIdle({ hasBot: false, seconds: config.CLOSE_IDLE_AGENTS_AFTER_SECONDS });
  if (closed) logger.info({ closed }, 'idle conversations closed');
};
export default closeIdleAgentsJob;
