/** Entry point of the API process: starts the server and closes it on a stop signal. */
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { config } from '#shared/config.ts';
import { invitationNotice } from '#shared/domain/access/address-proof.ts';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { onStop } from '#shared/process/stop-signals.ts';
import { type RunningApi, startApi } from './server.ts';

/** Longer than the drain (`server.ts`). */
const STOP_TIMEOUT_MS = 15_000 + config.STOP_DELAY_SECONDS * 1000;
/**
 * V8 collects garbage when the heap has grown by this percentage. With V8's default, large messages make the heap grow
 * by a factor of up to 4 before a collection.
 */
const HEAP_GROWTH_PERCENT = 50;

const exitOnStartError = (error: unknown): never => {
  if (error instanceof AppError) logger.fatal(error.message);
  else logger.fatal({ err: error }, 'api failed to start');
  process.exit(1);
};

const createStopHandler =
  ({ close }: RunningApi) =>
  async (reason: string): Promise<void> => {
    logger.info({ reason }, 'api is stopping');
    setTimeout(() => {
      logger.error(`api did not close within ${STOP_TIMEOUT_MS / 1000} s; it exits with running calls`);
      process.exit(1);
    }, STOP_TIMEOUT_MS).unref();
    await close();
    process.exit(0);
  };

setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
const api = await startApi().catch(exitOnStartError);
onStop(createStopHandler(api));
logger.info({ url: config.PUBLIC_URL ?? `http://${config.HOST}:${api.port}` }, 'api is ready');
logger.info(invitationNotice());
process.send?.({ port: api.port });
flushCompileCache(); // Node itself writes the compile cache only at exit, which a killed process skips
