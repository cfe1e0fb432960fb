/** The endpoint that opens a WebSocket. */
import { z } from 'zod';
import { endpoint, SocketUpgrade } from '../../http/endpoint.ts';
import { ticketParameter } from '../ticket-parameter.ts';
import { serveSocket } from './open-sockets.ts';

/** The query of a handshake. */
export const SocketQuery = z.object({
  ticket: ticketParameter,
  token: z.string().max(10_000).optional().meta({ description: 'Sign-in token, for clients that send it in the URL' }),
});

export default [
  endpoint({
    method: 'get',
    path: '/v3/ws',
    aliases: [{ path: '/ws' }],
    role: 'any',
    sockets: true,
    summary: 'Open a WebSocket, on which the client subscribes to topics of projects (docs/realtime.md)',
    query: SocketQuery,
    errors: { 426: 'The request is not a WebSocket handshake' },
    reply: z.string().meta({ description: 'Frames as JSON text' }),
    handle: async ({ actor, access }) => new SocketUpgrade((socket) => serveSocket(socket, actor, access)),
  }),
];
