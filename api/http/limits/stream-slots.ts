/**
 * Limits the open streams, sockets, long polls and uploads per principal and per network in this process, because each
 * one uses memory, or a temporary file, while it is open.
 */
import type { Context } from 'koa';
import type { EventEmitter } from 'node:events';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { clientNetwork } from './rate-limit.ts';

const RETRY_AFTER_S = 5;

const openSlots = new Map<string, number>();

/** A kind of slot: what occupies it, with advice for the caller, and how many a principal and a network may hold. */
interface SlotKind {
  code: string;
  what: string;
  perPrincipal: number;
  perNetwork: number;
}

const STREAMS: SlotKind = {
  code: 'TOO_MANY_STREAMS',
  what: 'open streams, sockets and long polls; close one',
  perPrincipal: config.STREAMS_PER_PRINCIPAL,
  perNetwork: config.STREAMS_PER_NETWORK,
};

const UPLOADS: SlotKind = {
  code: 'TOO_MANY_UPLOADS',
  what: 'uploads in progress; wait for one to end',
  perPrincipal: config.UPLOADS_PER_PRINCIPAL,
  perNetwork: config.UPLOADS_PER_NETWORK,
};

const noSlotLeft = ({ code, what }: SlotKind, holder: string, limit: number): AppError =>
  new AppError(429, code, `${holder} may have ${limit} ${what}, or try again in ${RETRY_AFTER_S} s`).retryAfter(
    RETRY_AFTER_S,
  );

const releaseSlot = (key: string): void => {
  const remaining = (openSlots.get(key) ?? 0) - 1;
  if (remaining > 0) openSlots.set(key, remaining);
  else openSlots.delete(key);
};

/** The holder of a slot: its IP address, and the response or socket whose end releases the slot. */
interface SlotHolder {
  ip: string;
  connection: EventEmitter & { closed: boolean };
}

const holdSlot = (kind: SlotKind, { connection, ip }: SlotHolder, principal?: string): void => {
  const network = clientNetwork(ip);
  const ofNetwork = { key: `${kind.code} ${network}`, holder: `The network ${network}`, limit: kind.perNetwork };
  const ofPrincipal = { key: `${kind.code} ${principal}`, holder: 'A principal', limit: kind.perPrincipal };
  const limits = principal === undefined ? [ofNetwork] : [ofPrincipal, ofNetwork];
  for (const { key, holder, limit } of limits)
    if ((openSlots.get(key) ?? 0) >= limit) throw noSlotLeft(kind, holder, limit);
  if (connection.closed) return; // the caller has disconnected: no `close` event would release the slot
  for (const { key } of limits) openSlots.set(key, (openSlots.get(key) ?? 0) + 1);
  connection.once('close', () => limits.forEach(({ key }) => releaseSlot(key)));
};

/**
 * Holds a slot for a stream of the principal (its `actorKey`), and one of its network, until the response is closed.
 * Throws 429 if either has no free slot.
 */
export const holdStreamSlot = ({ ip, res }: Context, principal: string): void =>
  holdSlot(STREAMS, { ip, connection: res }, principal);

/** Like `holdStreamSlot`, but for a WebSocket: holds the slots until the socket is closed. */
export const holdSocketSlot = ({ ip, req }: Context, principal: string): void =>
  holdSlot(STREAMS, { ip, connection: req.socket }, principal);

/** Holds an upload slot of the principal and of its network; only of the network for a caller without credentials. */
export const holdUploadSlot = ({ ip, res }: Context, principal?: string): void =>
  holdSlot(UPLOADS, { ip, connection: res }, principal);
