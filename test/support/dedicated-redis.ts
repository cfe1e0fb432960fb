/** A Redis of one test, which can be flushed, stopped and killed. */
import { Redis } from 'ioredis';
import { aDedicatedDatabase } from './dedicated-database.ts';

/** Starts one in `folder`, with an append-only file and nothing evicted. */
export const aDedicatedRedis = async (folder: string) => {
  const { url, port, kill, restart } = await aDedicatedDatabase('redis', folder);
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined); // expected while it is killed; commands wait
  await client.ping();
  const close = async () => {
    client.disconnect();
    await kill();
  };
  return { url, client, kill, restart, close };
};
