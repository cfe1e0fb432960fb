/** Aborts responses whose client has stopped reading, because their unsent bytes stay in memory. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { logger } from '#shared/logger.ts';

const CHECKS_PER_TIMEOUT = 12;

/** The number of bytes that a socket has accepted, and the time at which it last accepted some. */
interface SocketProgress {
  accepted: number;
  sinceMs: number;
}

/** Bytes handed to the operating system; those still buffered in the process do not count. */
const acceptedBytes = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/**
 * Destroys each socket that has had unsent bytes for `timeoutMs` and has accepted none of them in this time. Returns a
 * function that stops the checks.
 */
export const abortStalledResponses = (server: Server, timeoutMs: number): (() => void) => {
  const sockets = new Map<Socket, SocketProgress>();
  const checkSocket = (socket: Socket, progress: SocketProgress, now: number): void => {
    const accepted = acceptedBytes(socket);
    if (!socket.writableLength || accepted !== progress.accepted) {
      progress.accepted = accepted;
      progress.sinceMs = now;
    } else if (now - progress.sinceMs >= timeoutMs) {
      logger.info({ unsentBytes: socket.writableLength }, 'response aborted: the client has stopped reading');
      socket.destroy();
    }
  };
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { accepted: 0, sinceMs: performance.now() });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, progress] of sockets) checkSocket(socket, progress, now);
  }, timeoutMs / CHECKS_PER_TIMEOUT);
  return () => clearInterval(timer);
};
