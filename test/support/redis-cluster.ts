/** Redis clusters: three masters with a replica each, which can be killed; one master whose slots can be removed. */
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { aDedicatedDatabase, aFreePort } from './dedicated-database.ts';
import { times } from './fleet-fixture.ts';
import type { Disturbance } from './replica-set.ts';
import { random } from './seeded-random.ts';
import { waitUntil } from './wait-until.ts';

const MASTERS = 3;
const SLOTS = 16_384;
/** The port on which a server talks to the other servers is its own port plus this number. */
const BUS_OFFSET = 10_000;
const NODE_TIMEOUT_MS = '2000';

const connect = (port: number): Redis => {
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
  return redis.on('error', () => undefined); // expected while the server is down; commands wait until it is back
};

const startNode = async (folder: string) => {
  const file = join(folder, 'nodes.conf');
  const address = ['--cluster-announce-ip', '127.0.0.1']; // a single server cannot learn its address from others
  const state = ['--cluster-config-file', file, '--cluster-node-timeout', NODE_TIMEOUT_MS];
  const more = ['--cluster-enabled', 'yes', ...state, ...address];
  const server = await aDedicatedDatabase('redis', folder, { port: (await aFreePort()) - BUS_OFFSET, more });
  return { ...server, client: connect(server.port) };
};

type Node = Awaited<ReturnType<typeof startNode>>;

const isMaster = async ({ client }: Node): Promise<boolean> => (await client.role())[0] === 'master';

const mastersOf = async (nodes: Node[]): Promise<Node[]> => {
  const flags = await Promise.all(nodes.map(isMaster));
  return nodes.filter((_, index) => flags[index]);
};

const fieldsOf = (info: string): Map<string, string> =>
  new Map(info.split('\r\n').map((line) => line.split(':', 2) as [string, string]));

/** Whether a node serves its part of the cluster: as a master, or as a replica with a link to its master. */
const isServing = async ({ client }: Node): Promise<boolean> => {
  const [cluster, replication] = await Promise.all([client.cluster('INFO'), client.info('replication')]);
  const { cluster_state, cluster_known_nodes } = Object.fromEntries(fieldsOf(cluster));
  const { role, master_link_status } = Object.fromEntries(fieldsOf(replication));
  const isLinked = role === 'master' || master_link_status === 'up';
  return cluster_state === 'ok' && Number(cluster_known_nodes) === MASTERS * 2 && isLinked;
};

const isWhole = async (nodes: Node[]): Promise<boolean> =>
  (await Promise.all(nodes.map(isServing))).every(Boolean) && (await mastersOf(nodes)).length === MASTERS;

const formCluster = async (nodes: Node[]): Promise<void> => {
  const [first, ...others] = nodes as [Node, ...Node[]];
  for (const [index, { client }] of nodes.slice(0, MASTERS).entries()) {
    const [from, to] = [Math.ceil((SLOTS * index) / MASTERS), Math.ceil((SLOTS * (index + 1)) / MASTERS)];
    await client.cluster('ADDSLOTS', ...times(to - from, (slot) => from + slot));
    await client.cluster('SET-CONFIG-EPOCH', index + 1);
  }
  for (const { port } of others) await first.client.cluster('MEET', '127.0.0.1', port);
  for (const [index, { client }] of nodes.slice(MASTERS).entries()) {
    const master = await (nodes[index] as Node).client.cluster('MYID');
    const knowsMaster = async () => String(await client.cluster('NODES')).includes(master);
    await waitUntil(knowsMaster);
    await client.cluster('REPLICATE', master);
  }
  await waitUntil(() => isWhole(nodes));
};

/** Starts the cluster with its data in `folder`. */
export const aRedisCluster = async (folder: string) => {
  const nodes = await Promise.all(times(MASTERS * 2, (index) => startNode(join(folder, `node-${index}`))));
  await formCluster(nodes);
  return {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    /** Kills a master with SIGKILL; `restore` waits until a replica has replaced the master, then restarts it. */
    killMaster: async (): Promise<Disturbance> => {
      const masters = await mastersOf(nodes);
      const killed = masters[Math.floor(random() * masters.length)] as Node;
      await killed.kill();
      const others = nodes.filter((node) => node !== killed);
      const restore = async () => {
        await waitUntil(async () => (await mastersOf(others)).length === MASTERS);
        await killed.restart();
        await waitUntil(() => isWhole(nodes));
      };
      return { name: 'master killed', restore };
    },
    close: async (): Promise<void> => {
      for (const { client } of nodes) client.disconnect();
      await Promise.all(nodes.map(({ kill }) => kill()));
    },
  };
};

/** Starts a cluster of one master. It is incomplete, and refuses all commands with keys, while a slot is removed. */
export const aOneMasterCluster = async (folder: string) => {
  const { port, client, kill } = await startNode(folder);
  const hasState = async (state: string) => fieldsOf(await client.cluster('INFO')).get('cluster_state') === state;
  const addSlots = async (...slots: number[]): Promise<void> => {
    await client.cluster('ADDSLOTS', ...slots);
    await waitUntil(() => hasState('ok'));
  };
  await addSlots(...times(SLOTS, Number));
  return {
    url: `redis+cluster://127.0.0.1:${port}`,
    removeSlot: async (slot: number): Promise<void> => {
      await client.cluster('DELSLOTS', slot);
      await waitUntil(() => hasState('fail'));
    },
    addSlots,
    close: async (): Promise<void> => {
      client.disconnect();
      await kill();
    },
  };
};
