/** The API process: serves until it is told to stop. */
import { config } from '#shared/config.ts';
import { logger } from '#shared/logger.ts';
import { startApi } from './server.ts';

const STOP_MS = 15_000;

const { port, close } = await startApi();
logger.info({ url: config.PUBLIC_URL ?? `http://${config.HOST}:${port}` }, 'api is ready');
process.send?.({ port });

let stopping = false;

const stop = async (signal: string): Promise<void> => {
  if (stopping) return;
  stopping = true;
  logger.info({ signal }, 'api stops');
  setTimeout(() => process.exit(0), STOP_MS).unref();
  await close();
  process.exit(0);
};

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
