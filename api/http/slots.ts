/** How many streams and long waits a principal and a network hold open at once in this process. Each costs memory for as long as it lasts. */
import type { Context } from 'koa';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { type Actor, callerOf } from './actor.ts';
import { networkOf } from './address.ts';

const RETRY_AFTER_S = 5;

const held = new Map<string, number>();

const refusal = (whose: string, most: number): AppError =>
  new AppError(
    429,
    'TOO_MANY_STREAMS',
    `${whose} may hold ${most} streams and waits open at once; close one, or try again in ${RETRY_AFTER_S} s`,
  ).with({ body: { retry_after: RETRY_AFTER_S }, headers: { 'Retry-After': String(RETRY_AFTER_S) } });

const free = (key: string): void => {
  const left = (held.get(key) ?? 0) - 1;
  if (left > 0) held.set(key, left);
  else held.delete(key);
};

/** Hold a slot for as long as the response is open, however it ends; 429 where all are held. */
export const holdSlot = ({ res, ip }: Context, actor: Actor): void => {
  const network = networkOf(ip);
  const limits = [
    { key: `principal ${callerOf(actor)}`, whose: 'A principal', most: config.STREAMS_PER_PRINCIPAL },
    { key: `network ${network}`, whose: `The network ${network}`, most: config.STREAMS_PER_NETWORK },
  ];
  for (const { key, whose, most } of limits) if ((held.get(key) ?? 0) >= most) throw refusal(whose, most);
  if (res.closed) return; // the caller has left, and nothing would free the slot
  for (const { key } of limits) held.set(key, (held.get(key) ?? 0) + 1);
  res.once('close', () => limits.forEach(({ key }) => free(key)));
};
