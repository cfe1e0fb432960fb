/**
 * Upgrades connections to WebSockets. A handshake passes through the same middleware as any other request, so a
 * rejection is an ordinary response. The connection becomes a WebSocket only if the handler accepts the handshake.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { Context } from 'koa';
import { WebSocketServer } from 'ws';
import { AppError } from '#shared/errors.ts';
import { nodeHttp } from '#shared/load-package.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import type { SocketUpgrade } from './endpoint.ts';

/** The handshakes in progress. `accepted` is what the handler returned to accept the handshake. */
const handshakes = new WeakMap<IncomingMessage, { accepted?: SocketUpgrade }>();

/** Throws 426 for a request that is not a WebSocket handshake. */
export const assertUpgrade = ({ req }: Context): void => {
  if (handshakes.has(req)) return;
  throw new AppError(426, 'UPGRADE_REQUIRED', 'This endpoint is a WebSocket: send a WebSocket handshake').with({
    headers: { Upgrade: 'websocket' },
  });
};

/** Accepts the handshake of a request. Koa then sends no response; `serveUpgrades` completes the handshake. */
export const acceptUpgrade = (ctx: Context, upgrade: SocketUpgrade): void => {
  const handshake = handshakes.get(ctx.req);
  if (handshake) handshake.accepted = upgrade;
  ctx.status = 101;
  ctx.respond = false;
};

/** Whether a request is a WebSocket handshake. Other upgrades are ignored, as the HTTP standard allows. */
export const isSocketHandshake = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/** Answers a request. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** Handles the handshakes that a server receives. `handle` runs the middleware of the app. */
export const serveUpgrades = (server: Server, handle: RequestHandler): void => {
  const protocol = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false, // compression needs buffers of about 300 KB per connection
    maxPayload: INPUT_LIMITS.socketFrameBytes,
  });
  const upgrade = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const handshake: { accepted?: SocketUpgrade } = {};
    handshakes.set(request, handshake);
    const response = new nodeHttp.ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    await handle(request, response);
    const { accepted } = handshake;
    if (!accepted) return;
    response.detachSocket(socket);
    if (!socket.destroyed) protocol.handleUpgrade(request, socket, head, accepted.onOpen);
  };
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket as Socket, head).catch(() => socket.destroy());
  });
};
