/** A Redis of a test's own: to be flushed, stopped and killed. */
import { Redis } from 'ioredis';
import { anOwnDatabase } from './own-database.ts';

/** Starts one in `folder`, with an append-only file and nothing evicted. */
export const anOwnRedis = async (folder: string) => {
  const { url, port, kill, restart } = await anOwnDatabase('redis', folder);
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined); // killed for a while; whoever asks waits
  await client.ping();
  const close = async () => {
    client.disconnect();
    await kill();
  };
  return { url, client, kill, restart, close };
};
