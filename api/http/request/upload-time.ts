/** Time limits of uploads. */
import type { Context } from 'koa';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';

/** Time without data after which an upload is aborted. */
const IDLE_MS = Math.min(30_000, config.UPLOAD_TIMEOUT_SECONDS * 1000);
/** How long the rest of a refused upload is read and discarded, so that its client can read the response. */
const LINGER_MS = 5000;

const tooSlow = () =>
  new AppError(408, 'UPLOAD_TOO_SLOW', 'The upload took too long or stopped; send it again over a faster connection');

/** Discards the rest of a refused upload. Closes the connection if the upload does not end in time. */
const discardRest = ({ req, res }: Context): void => {
  if (req.complete || req.destroyed) return;
  req.resume();
  res.once('finish', () => {
    if (req.complete) return;
    const timer = setTimeout(() => req.socket.destroy(), LINGER_MS);
    req.once('close', () => clearTimeout(timer));
  });
};

/** Runs `receive`. Throws 408 if it takes longer than UPLOAD_TIMEOUT_SECONDS, or if no data arrives for IDLE_MS. */
export const receiveInTime = async <T>(ctx: Context, receive: () => Promise<T>): Promise<T> => {
  const { req } = ctx;
  const { socket } = req;
  const started = performance.now();
  let lastBytes = socket.bytesRead;
  let lastProgress = started;
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const now = performance.now();
      if (socket.bytesRead !== lastBytes) lastProgress = now;
      lastBytes = socket.bytesRead;
      if (now - lastProgress >= IDLE_MS || now - started >= config.UPLOAD_TIMEOUT_SECONDS * 1000) reject(tooSlow());
    }, IDLE_MS / 10);
  });
  try {
    return await Promise.race([receive(), expired]);
  } catch (error) {
    discardRest(ctx);
    throw error;
  } finally {
    clearInterval(timer);
  }
};
