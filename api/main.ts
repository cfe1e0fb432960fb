/** Entry point of the API process: starts the server and closes it on a stop signal. */
import { flushCompileCache } from 'node:module';
import { config } from '#shared/config.ts';
import { invitationNotice } from '#shared/domain/access/address-proof.ts';
import { logger } from '#shared/logger.ts';
import { limitHeapGrowth, releaseMemoryWhenIdle } from '#shared/heap-memory.ts';
import { exitOnStartError } from '#shared/process/start-error.ts';
import { onStop } from '#shared/process/stop-signals.ts';
import { type RunningApi, startApi } from './server.ts';

/** Longer than the longest shutdown of the server (`drain` in `server.ts`). */
const STOP_TIMEOUT_MS = 15_000 + config.STOP_DELAY_SECONDS * 1000;

const createStopHandler =
  ({ close }: RunningApi) =>
  async (reason: string): Promise<void> => {
    logger.info({ reason }, 'api is stopping');
    setTimeout(() => {
      logger.error(`api did not close within ${STOP_TIMEOUT_MS / 1000} s; it exits although calls are still running`);
      process.exit(1);
    }, STOP_TIMEOUT_MS).unref();
    await close();
    process.exit(0);
  };

// The heap may double between two garbage collections. If it grew by only 50%, calls would take 6% more processor time.
limitHeapGrowth(100);
const api = await startApi().catch(exitOnStartError('api'));
onStop(createStopHandler(api));
logger.info({ url: config.PUBLIC_URL ?? `http://${config.HOST}:${api.port}` }, 'api is ready');
logger.info(invitationNotice());
process.send?.({ port: api.port });
releaseMemoryWhenIdle();
flushCompileCache(); // Node.js itself writes the compile cache only at exit, so a killed process would not write it
