/** The loggers of the process, which write JSON lines to stdout. */
import { destination, pino } from 'pino';
import { config, Settings } from './config.ts';
import { correlationId } from './context.ts';

const mixin = () => ({ correlationId: correlationId() });
/** The levels of log lines, from the most to the least severe; `silent` writes none. */
export const LOG_LEVELS = Settings.shape.LOG_LEVEL.unwrap().options;

const level = config.LOG_LEVEL;
/** Names of fields that hold secrets, at the top level of a line or one level below. */
const SECRET_NAMES = ['password', 'secret', 'token', 'authorization', 'Authorization', 'cookie', 'apiKey'];
const redactedPaths = SECRET_NAMES.flatMap((name) => [name, `*.${name}`]);

/**
 * The general logger. Each line has the correlation id of the request or job. The values of the fields in SECRET_NAMES
 * are replaced by `[secret]`; other fields, messages and URLs are logged as they are and must contain no secret.
 */
export const logger = pino({ level, mixin, redact: { paths: redactedPaths, censor: '[secret]' } });

/** The size at which buffered lines are written: about as much as a busy API logs within FLUSH_AFTER_MS. */
const MAX_BUFFERED_BYTES = 16_000;
const FLUSH_AFTER_MS = 100;
const requestLines = destination({ minLength: MAX_BUFFERED_BYTES, sync: false });
let flushTimer: NodeJS.Timeout | undefined;

const flushRequestLines = (): void => {
  flushTimer = undefined;
  requestLines.flush();
};

/**
 * Buffers a line and schedules a flush. A periodic flush would make a system call every 100 ms even without new lines.
 */
const writeRequestLine = (line: string): void => {
  requestLines.write(line);
  flushTimer ??= setTimeout(flushRequestLines, FLUSH_AFTER_MS).unref();
};

/**
 * The logger of the access log: one line per request, without redaction, because the only field that may come from the
 * caller is a correlation id of letters, digits, `_` and `-`. Lines are written in batches, the last one at exit. One
 * write per line would take a tenth of a small request's time.
 */
export const requestLogger = pino({ level }, { write: writeRequestLine });

/** Sets the minimum level of both loggers; undefined restores the level from the `LOG_LEVEL` setting. */
export const setLogLevel = (minimum: string = level): void => {
  for (const each of [logger, requestLogger]) each.level = minimum;
  logger.info({ level: minimum }, 'log level changed');
};
