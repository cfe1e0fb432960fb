/**
 * Bare loops that read changes with the raw driver: one posts each change to a URL, the other sends each change to all
 * sockets of a WebSocket server.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import mongoose from 'mongoose';
import { Agent, request } from 'undici';
import { WebSocketServer } from 'ws';
import { connectMongo } from '#shared/database/connection.ts';
import { signedHeaders } from '#shared/security/sign-webhook.ts';

/** The number of deliveries that the product makes to one receiver at the same time. */
const POSTS_AT_ONCE = 16;
const CHANGES_PER_READ = 100;

/** An order to post the given changes to a URL, or to send the changes of a project after a cursor to all sockets. */
export type Order = { post: string; changes: string[] } | { project: string; after: string };

await connectMongo();
const changes = mongoose.connection.collection<{ _id: string; position: string; payload: object }>('changes');
const dispatcher = new Agent({ connections: POSTS_AT_ONCE });

const postChange = async (url: string, _id: string): Promise<void> => {
  const change = await changes.findOne({ _id }, { projection: { id_project: 1, payload: 1 } });
  const body = JSON.stringify({ timestamp: Date.now(), payload: change?.payload });
  const headers = { 'content-type': 'application/json', ...signedHeaders({ id: _id, body, secrets: ['secret'] }) };
  const reply = await request(url, { method: 'POST', body, headers, dispatcher });
  await reply.body.dump();
};

const postAll = async (url: string, ids: string[]): Promise<void> => {
  const waiting = ids.values();
  const loop = async () => {
    for (const id of waiting) await postChange(url, id);
  };
  await Promise.all(Array.from({ length: POSTS_AT_ONCE }, loop));
};

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const sockets = new WebSocketServer({ server });

const sendAll = async (id_project: string, after: string): Promise<void> => {
  const filter = { id_project, position: { $gt: after } };
  const found = await changes.find(filter, { sort: { position: 1 }, limit: CHANGES_PER_READ }).toArray();
  for (const { payload, position: cursor } of found) {
    const topic = `/${id_project}/requests/talk/messages`;
    const frame = { action: 'publish', payload: { topic, method: 'CREATE', message: payload, cursor } };
    const bytes = Buffer.from(JSON.stringify(frame));
    for (const socket of sockets.clients) socket.send(bytes, { binary: false });
  }
  if (found.length) await sendAll(id_project, found.at(-1)?.position ?? after);
};

process.on('message', (order: Order) =>
  'post' in order ? postAll(order.post, order.changes) : sendAll(order.project, order.after),
);
process.send?.({ port: (server.address() as AddressInfo).port });
