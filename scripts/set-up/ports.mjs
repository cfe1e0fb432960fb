/** Finds free ports, by default on loopback. */
import { connect, createServer } from 'node:net';
import { SetUpError } from './errors.mjs';

const MAX_PORT_DISTANCE = 200;

/** Resolves with the port if it is free (for 0, a port that the system chooses), or with undefined if it is taken. */
export const tryPort = (port, host = '127.0.0.1') =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });

/**
 * Whether a server listens on a loopback port. Unlike `tryPort`, does not briefly occupy the port, so that a server
 * that is about to start does not fail.
 */
export const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('connect', () => socket.destroy()).once('error', () => resolve(false));
  });

/** Returns the preferred port or the next free one; for 0, any free port. Throws `SetUpError` if no port is free. */
export async function freePort(preferred, host) {
  for (let port = preferred; port <= preferred + MAX_PORT_DISTANCE; port += 1) {
    const free = await tryPort(port, host);
    if (free) return free;
  }
  throw new SetUpError(`No port from ${preferred} to ${preferred + MAX_PORT_DISTANCE} is free.`);
}
