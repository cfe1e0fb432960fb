/** Reads the log lines of this process. */
import pino from 'pino';
import { logger, requestLogger, setLogLevel } from '#shared/logger.ts';

const { streamSym } = pino.symbols;

type Stream = { write(line: string): void };

/** Runs `work` with the log level `trace`. Returns everything that this process logged meanwhile. */
export const logsDuring = async (work: () => Promise<unknown>): Promise<string> => {
  let text = '';
  const level = logger.level;
  const loggers = [logger, requestLogger] as unknown as { [streamSym]: Stream }[];
  const streams = loggers.map((each) => each[streamSym]);
  for (const each of loggers) each[streamSym] = { write: (line) => void (text += line) };
  setLogLevel('trace');
  try {
    await work();
  } finally {
    setLogLevel(level);
    for (const [index, each] of loggers.entries()) each[streamSym] = streams[index] as Stream;
  }
  return text;
};
