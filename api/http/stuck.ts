/** Aborts every response whose socket accepts nothing for a while, whatever sends it: each holds what it has yet to send. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { logger } from '#shared/logger.ts';

const LOOKS = 12;

/** Bytes that a socket had accepted when it was last seen to move on. */
interface Progress {
  accepted: number;
  since: number;
}

/** Bytes that went to the system, those that are still on their way excluded. */
const acceptedBy = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/** Watch the sockets of a server; `timeoutMs` after the last byte was accepted a socket with bytes to send is closed. */
export const abortStuck = (server: Server, timeoutMs: number): (() => void) => {
  const sockets = new Map<Socket, Progress>();
  const look = (socket: Socket, progress: Progress, now: number): void => {
    const accepted = acceptedBy(socket);
    if (!socket.writableLength || accepted !== progress.accepted) {
      progress.accepted = accepted;
      progress.since = now;
    } else if (now - progress.since >= timeoutMs) {
      logger.info({ pending: socket.writableLength }, 'a response was aborted: its reader takes nothing');
      socket.destroy();
    }
  };
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { accepted: 0, since: performance.now() });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, progress] of sockets) look(socket, progress, now);
  }, timeoutMs / LOOKS);
  return () => clearInterval(timer);
};
