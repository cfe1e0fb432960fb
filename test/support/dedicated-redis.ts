/** A Redis server for one test, which can be flushed, stopped and killed. */
import { Redis } from 'ioredis';
import { aDedicatedDatabase } from './dedicated-database.ts';

/** Starts a Redis server with its data in `folder`; it uses an append-only file and evicts nothing. */
export const aDedicatedRedis = async (folder: string) => {
  const { url, port, kill, signal, restart } = await aDedicatedDatabase('redis', folder);
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined); // expected while Redis is down; commands wait until it is back
  await client.ping();
  const close = async () => {
    client.disconnect();
    await kill();
  };
  return { url, client, kill, signal, restart, close };
};
