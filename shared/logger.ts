import { pino } from 'pino';
import { config } from './config.ts';
import { requestId } from './context.ts';

/** One JSON line per event on stdout; secrets are cut out wherever they stand. */
export const logger = pino({
  level: config.LOG_LEVEL,
  redact: { paths: ['password', 'secret', 'token', 'authorization', '*.password', '*.secret', '*.token', '*.authorization'], censor: '[secret]' },
  mixin: () => ({ requestId: requestId() }),
});
