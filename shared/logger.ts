import { pino } from 'pino';
import { config } from './config.ts';
import { requestId } from './context.ts';

const mixin = () => ({ requestId: requestId() });
const level = config.LOG_LEVEL;
const paths = ['password', 'secret', 'token', 'authorization'].flatMap((name) => [name, `*.${name}`]);

/** One JSON line per event on stdout; secrets are cut out wherever they stand. */
export const logger = pino({ level, mixin, redact: { paths, censor: '[secret]' } });

/** The same for lines that hold nothing of a caller's, such as one for each request: nothing is looked for in them. */
export const plainLogger = pino({ level, mixin });
