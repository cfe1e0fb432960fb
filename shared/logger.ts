import { destination, pino } from 'pino';
import { config } from './config.ts';
import { requestId } from './context.ts';

const mixin = () => ({ requestId: requestId() });
const level = config.LOG_LEVEL;
const paths = ['password', 'secret', 'token', 'authorization'].flatMap((name) => [name, `*.${name}`]);

/** One JSON line per event on stdout; secrets are cut out wherever they stand. */
export const logger = pino({ level, mixin, redact: { paths, censor: '[secret]' } });

const BATCH = { minLength: 4096, periodicFlush: 100 };

/**
 * For the one line of each request, which holds nothing of a caller's to cut out. Its lines are written in batches,
 * the last one when the process exits: a write for each would cost a tenth of all the work of a small request.
 */
export const requestLogger = pino({ level }, destination({ ...BATCH, sync: false }));
