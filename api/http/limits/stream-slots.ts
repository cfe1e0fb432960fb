/**
 * Limits the open event streams and long polls per principal and per network in this process, because each one uses
 * memory while it is open.
 */
import type { Context } from 'koa';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { clientNetwork } from './client-network.ts';

const RETRY_AFTER_S = 5;

const openStreams = new Map<string, number>();

const tooManyStreams = (holder: string, limit: number): AppError =>
  new AppError(
    429,
    'TOO_MANY_STREAMS',
    `${holder} may have ${limit} open streams and long polls; close one, or try again in ${RETRY_AFTER_S} s`,
  ).retryAfter(RETRY_AFTER_S);

const releaseSlot = (key: string): void => {
  const remaining = (openStreams.get(key) ?? 0) - 1;
  if (remaining > 0) openStreams.set(key, remaining);
  else openStreams.delete(key);
};

/**
 * Holds a slot of the principal (its `actorKey`) and a slot of its network until the response is closed. Throws 429 if
 * either has no free slot.
 */
export const holdStreamSlot = ({ res, ip }: Context, principal: string): void => {
  const network = clientNetwork(ip);
  const limits = [
    { key: `principal ${principal}`, holder: 'A principal', limit: config.STREAMS_PER_PRINCIPAL },
    { key: `network ${network}`, holder: `The network ${network}`, limit: config.STREAMS_PER_NETWORK },
  ];
  for (const { key, holder, limit } of limits)
    if ((openStreams.get(key) ?? 0) >= limit) throw tooManyStreams(holder, limit);
  if (res.closed) return; // the caller has disconnected: no `close` event would release the slot
  for (const { key } of limits) openStreams.set(key, (openStreams.get(key) ?? 0) + 1);
  res.once('close', () => limits.forEach(({ key }) => releaseSlot(key)));
};
