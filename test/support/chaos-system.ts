/**
 * A system that imports pages into a knowledge base. Its workers, MongoDB, Redis and vector store can be killed and
 * paused.
 */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '#shared/config.ts';
import { aDedicatedDatabase } from './dedicated-database.ts';
import { aProvider } from './fake-openai.ts';
import { aFleet, type Fleet, type FleetProcess } from './fleet.ts';
import { times } from './fleet-fixture.ts';
import { aQdrantService } from './qdrant-shim.ts';
import { random } from './seeded-random.ts';

/** What can happen to a part of the system. */
export interface Disturbances {
  /** Kills a service and restarts it after `ms` milliseconds. Workers and the folder of LanceDB ignore `ms`. */
  kill(ms: number): Promise<void>;
  /** Makes the part unusable for `ms` milliseconds. */
  pause(ms: number): Promise<void>;
}

const WORKERS = 2;
const RESTART_PAUSE_MS = 500;
/** Maximum number of times that deleting a folder is retried while a process writes to it. */
const FOLDER_RETRIES = 5;

const pauseBySignal = async (signal: (name: NodeJS.Signals) => void, ms: number): Promise<void> => {
  signal('SIGSTOP');
  await sleep(ms);
  signal('SIGCONT');
};

/** Starts a worker. It cannot start while MongoDB or Redis is down, so the start is repeated. */
const startWorker = async (fleet: Fleet): Promise<FleetProcess> => {
  for (;;) {
    try {
      return await fleet.worker();
    } catch {
      await sleep(RESTART_PAUSE_MS);
    }
  }
};

const randomIndex = (items: unknown[]): number => Math.floor(random() * items.length);

const workersOf = (fleet: Fleet, workers: FleetProcess[]): Disturbances => ({
  kill: async () => {
    const index = randomIndex(workers);
    await (workers[index] as FleetProcess).end('SIGKILL');
    workers[index] = await startWorker(fleet);
  },
  pause: (ms) => pauseBySignal((workers[randomIndex(workers)] as FleetProcess).signal, ms),
});

interface Service {
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

const serviceOf = ({ signal, kill, restart }: Service): Disturbances => ({
  kill: async (ms) => {
    await kill();
    await sleep(ms);
    await restart();
  },
  pause: (ms) => pauseBySignal(signal, ms),
});

/** The folder of LanceDB. `kill` deletes it; `pause` puts a file in its place, so that no call succeeds. */
const lanceFolderOf = ({ dataDir }: Fleet): Disturbances => {
  const [folder, away] = [join(dataDir, 'lancedb'), join(dataDir, 'lancedb-away')];
  return {
    kill: () => rm(folder, { recursive: true, force: true, maxRetries: FOLDER_RETRIES }),
    pause: async (ms) => {
      await rename(folder, away);
      await writeFile(folder, '');
      await sleep(ms);
      await rm(folder, { recursive: true });
      await rename(away, folder);
    },
  };
};

/** The kind of vector store. */
export type StoreKind = 'lancedb' | 'qdrant';

/** Starts the system. Until it is closed, the models of this process read its database. */
export const aChaosSystem = async (store: StoreKind, settings: Record<string, string>) => {
  const folder = await mkdtemp(join(tmpdir(), 'kb-chaos-'));
  const [mongodb, provider] = await Promise.all([
    aDedicatedDatabase('mongodb', join(folder, 'mongodb')),
    aProvider({ dimension: 64 }),
  ]);
  const qdrant = store === 'qdrant' ? await aQdrantService() : undefined;
  const suiteUri = config.MONGODB_URI;
  config.MONGODB_URI = mongodb.url;
  const fleet = await aFleet({
    OPENAI_BASE_URL: provider.baseUrl,
    OPENAI_API_KEY: 'none',
    EMBEDDING_MODEL: 'fake',
    EMBEDDING_DIMENSION: '64',
    CHUNK_TOKENS: '100',
    ...(qdrant && { QDRANT_URL: qdrant.url }),
    ...settings,
  });
  const [api, ...workers] = await Promise.all([fleet.api(), ...times(WORKERS, () => fleet.worker())]);
  return {
    fleet,
    api,
    workers,
    qdrantUrl: qdrant?.url,
    parts: {
      worker: workersOf(fleet, workers),
      mongodb: serviceOf(mongodb),
      redis: serviceOf(fleet.redisService),
      store: qdrant ? serviceOf(qdrant) : lanceFolderOf(fleet),
    },
    close: async () => {
      config.MONGODB_URI = suiteUri;
      await fleet.close();
      await mongodb.kill();
      await qdrant?.kill();
      await provider.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

export type ChaosSystem = Awaited<ReturnType<typeof aChaosSystem>>;
