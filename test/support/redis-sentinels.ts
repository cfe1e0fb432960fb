/** A Redis master with two replicas, watched by three Sentinels that replace the master when it is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { aDedicatedDatabase, aFreePort, findDatabase } from './dedicated-database.ts';
import { times } from './fleet-fixture.ts';
import type { Disturbance } from './replica-set.ts';
import { waitUntil } from './wait-until.ts';

const NAME = 'support-chat';
const SERVERS = 3;
const SENTINELS = 3;
const QUORUM = 2;

interface Sentinel {
  port: number;
  client: Redis;
  child: ChildProcess;
}

const startSentinel = async (folder: string, program: string, master: number): Promise<Sentinel> => {
  await mkdir(folder, { recursive: true });
  const port = await aFreePort();
  const file = join(folder, 'sentinel.conf');
  const lines = [
    ...[`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, `logfile ${join(folder, 'log')}`],
    `sentinel monitor ${NAME} 127.0.0.1 ${master} ${QUORUM}`,
    ...[`sentinel down-after-milliseconds ${NAME} 1500`, `sentinel failover-timeout ${NAME} 6000`],
  ];
  await writeFile(file, lines.join('\n'));
  const child = spawn(program, [file, '--sentinel'], { stdio: 'ignore' });
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined); // expected until the Sentinel has started
  return { port, client, child };
};

/** Returns what a Sentinel reports: the port of the master, and the numbers of other Sentinels and linked replicas. */
const describe = async ({ client }: Sentinel) => {
  const known = (await client.call('SENTINEL', 'MASTER', NAME)) as string[];
  const valueOf = (name: string) => Number(known[known.indexOf(name) + 1]);
  const replicas = (await client.call('SENTINEL', 'REPLICAS', NAME)) as string[][];
  const linked = replicas.filter((replica) => replica[replica.indexOf('master-link-status') + 1] === 'ok');
  return { port: valueOf('port'), others: valueOf('num-other-sentinels'), linked: linked.length };
};

/** Starts the servers with their data in `folder`. */
export const redisBehindSentinels = async (folder: string) => {
  const { program } = await findDatabase('redis');
  const first = await aDedicatedDatabase('redis', join(folder, 'server-0'));
  const more = ['--replicaof', '127.0.0.1', String(first.port)];
  const replicas = times(SERVERS - 1, (index) =>
    aDedicatedDatabase('redis', join(folder, `server-${index + 1}`), { more }),
  );
  const servers = [first, ...(await Promise.all(replicas))];
  const start = (index: number) => startSentinel(join(folder, `sentinel-${index}`), program, first.port);
  const sentinels = await Promise.all(times(SENTINELS, start));
  const isWhole = async (): Promise<boolean> => {
    const views = await Promise.all(sentinels.map(describe));
    return views.every(({ others, linked }) => others === SENTINELS - 1 && linked === SERVERS - 1);
  };
  await waitUntil(isWhole, 120);
  const masterPort = async () => (await describe(sentinels[0] as Sentinel)).port;
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${NAME}`,
    /** Kills the master with SIGKILL; `restore` waits for the new master and starts the killed one again. */
    killMaster: async (): Promise<Disturbance> => {
      const port = await masterPort();
      const master = servers.find((server) => server.port === port) as typeof first;
      await master.kill();
      const restore = async () => {
        await waitUntil(async () => (await masterPort()) !== port);
        await master.restart();
        await waitUntil(isWhole, 120);
      };
      return { name: 'master killed', restore };
    },
    close: async (): Promise<void> => {
      for (const { client, child } of sentinels) {
        client.disconnect();
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await Promise.all(servers.map(({ kill }) => kill()));
    },
  };
};
