import { config } from '#shared/config.ts';
import { closeIdle } from '#shared/domain/conversations/idle.ts';
import type { Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';

/** Conversations with people end by themselves only where that is wanted. */
const close: Processor<'upkeep.close-idle-agents'> = async () => {
  if (!config.CLOSE_IDLE_AGENTS) return;
  const closed = await closeIdle({ hasBot: false, seconds: config.CLOSE_IDLE_AGENTS_AFTER });
  if (closed) logger.info({ closed }, 'idle conversations were closed');
};
export default close;
