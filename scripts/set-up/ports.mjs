/** Ports on loopback: whether one is free, and which one to take. */
import { createServer } from 'node:net';
import { SetUpError } from './errors.mjs';

const FAR = 200;

/** The port that was asked for, or the one the system gave for 0; undefined when it is taken. */
export const tryPort = (port, host = '127.0.0.1') =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const given = server.address().port;
      server.close(() => resolve(given));
    });
  });

/** The preferred port or the next free one after it; 0 takes any. */
export async function freePort(preferred, host) {
  for (let port = preferred; port <= preferred + FAR; port += 1) {
    const free = await tryPort(port, host);
    if (free) return free;
  }
  throw new SetUpError(`No free port from ${preferred} to ${preferred + FAR}.`);
}
