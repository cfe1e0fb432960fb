/** The API process: serves until it is told to stop. */
import { config } from '#shared/config.ts';
import { invitationNotice } from '#shared/domain/access/address-proof.ts';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { onStop } from '#shared/signals.ts';
import { type Api, startApi } from './server.ts';

const STOP_MS = 15_000;

const refuse = (error: unknown): never => {
  if (error instanceof AppError) logger.fatal(error.message);
  else logger.fatal({ err: error }, 'api does not start');
  process.exit(1);
};

const stopper =
  ({ close }: Api) =>
  async (reason: string): Promise<void> => {
    logger.info({ reason }, 'api stops');
    setTimeout(() => process.exit(0), STOP_MS).unref();
    await close();
    process.exit(0);
  };

const api = await startApi().catch(refuse);
onStop(stopper(api));
logger.info({ url: config.PUBLIC_URL ?? `http://${config.HOST}:${api.port}` }, 'api is ready');
logger.info(invitationNotice());
process.send?.({ port: api.port });
