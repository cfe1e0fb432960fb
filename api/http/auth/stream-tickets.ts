/**
 * Tickets: each replaces the `Authorization` header of one stream or socket, for clients that cannot send headers.
 * Redis holds the credentials of a ticket for 60 seconds, encrypted with a key that is derived from the ticket. The
 * ticket itself is not stored.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { config } from '#shared/config.ts';
import { failFastRedis, openRedis } from '#shared/queue/redis.ts';
import { decryptText, encryptText } from '#shared/security/encryption.ts';

/** Seconds for which a ticket is valid. */
export const TICKET_TTL_SECONDS = 60;
const TICKET_BYTES = 32;
const TICKET_PATTERN = /^[\w-]{43}$/;

/** The `Authorization` header that a ticket replaces, and the only project in which the ticket is valid. */
export interface TicketCredentials {
  authorization: string;
  project: string;
}

const redis = failFastRedis({ lazyConnect: true });

/**
 * Derives a value from a ticket: the name under which its credentials are stored, or the key that encrypts them.
 * Neither of these values reveals the other, or the ticket.
 */
const derive = (ticket: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', ticket, '', purpose, 32));
const storedName = (ticket: string): string =>
  `${config.QUEUE_PREFIX}:ticket:${derive(ticket, 'ticket name').toString('base64url')}`;
const encryptionOf = (ticket: string) => ({ key: derive(ticket, 'ticket key'), name: 'stream ticket' });

/** Issues a ticket. */
export const issueTicket = async (credentials: TicketCredentials): Promise<string> => {
  const ticket = randomBytes(TICKET_BYTES).toString('base64url');
  const encrypted = encryptText(JSON.stringify(credentials), encryptionOf(ticket));
  await redis.set(storedName(ticket), encrypted, 'EX', TICKET_TTL_SECONDS);
  return ticket;
};

/** Returns the credentials of a ticket and makes the ticket invalid; null for an invalid, used or expired ticket. */
export const redeemTicket = async (ticket: string): Promise<TicketCredentials | null> => {
  if (!TICKET_PATTERN.test(ticket)) return null;
  const encrypted = await redis.getdel(storedName(ticket));
  const text = encrypted && decryptText(encrypted, encryptionOf(ticket));
  return text ? (JSON.parse(text) as TicketCredentials) : null;
};

/** Connects to Redis before the first request. */
export const connectTickets = () => openRedis(redis);

/** Closes the connection, so that the process can exit. */
export const closeTickets = () => redis.disconnect();
