/** Connects to the SMTP servers of projects: only to public addresses, and to targets that `FETCH_ALLOW` names. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import type { Options } from 'nodemailer/lib/smtp-transport';
import { config } from '../config.ts';
import { mayConnect, parseAddressRules } from '../fetch/address-rules.ts';
import { servicePorts } from '../fetch/service-ports.ts';

const SMTP_PORTS = [25, 465, 587, 2525];
const IMPLICIT_TLS_PORT = 465;
const DEFAULT_PORT = 587;
const CONNECT_TIMEOUT_MS = 15_000;
/** Maximum duration of a connection; each connection is used for one email. */
const SESSION_MS = 120_000;

/** The SMTP server of a project. */
export interface SmtpServer {
  host: string;
  port?: number;
  /** Whether to use TLS from the start; by default, only on port 465. If false, STARTTLS is used if offered. */
  secure?: boolean;
  user?: string;
  pass?: string;
}

/** A host without an address, or a forbidden address or port. Retries fail, too, until the settings are corrected. */
class SmtpAddressError extends Error {
  readonly code = 'ETARGET';
}

const resolveAddresses = async (host: string): Promise<string[]> => {
  if (isIP(host)) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
};

/**
 * Returns the connection options of a project's SMTP server. They contain an IP address instead of the host name:
 * the name is resolved only once, so that the connection goes to the checked address. Throws if the host has no
 * address, or if one of its addresses or the port is forbidden.
 */
export const checkedSmtpOptions = async ({
  host,
  port = DEFAULT_PORT,
  secure,
  user,
  pass,
}: SmtpServer): Promise<Options> => {
  const rules = parseAddressRules({ allow: config.FETCH_ALLOW, servicePorts: servicePorts(), webPorts: SMTP_PORTS });
  const addresses = await resolveAddresses(host);
  const [address] = addresses;
  if (!address || !addresses.every((each) => mayConnect({ host, address: each, port }, rules)))
    throw new SmtpAddressError(`The SMTP server ${host} has no address, or its address or port ${port} is forbidden`);
  return {
    host: address,
    port,
    secure: secure ?? port === IMPLICIT_TLS_PORT,
    ...(user && { auth: { user, pass: pass ?? '' } }),
    tls: { servername: isIP(host) ? '' : host },
  };
};

/**
 * Opens a connection that is closed after SESSION_MS. Without this limit, a server that replies byte by byte could keep
 * it open forever.
 */
const openSocket = async (host: string, port: number): Promise<Socket> => {
  const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
  socket.once('timeout', () => socket.destroy(Object.assign(new Error('connect timeout'), { code: 'ETIMEDOUT' })));
  await once(socket, 'connect');
  socket.setTimeout(0);
  const deadline = setTimeout(() => socket.destroy(), SESSION_MS);
  socket.once('close', () => clearTimeout(deadline));
  return socket;
};

/** Adds an open connection to options that `checkedSmtpOptions` has returned. */
export const withOpenConnection = async (options: Options): Promise<Options> => ({
  ...options,
  connection: await openSocket(options.host as string, options.port as number),
});
