/** What every process does before it works: reach the services, refuse unsafe ones, bring the database up to date. */
import { readdir } from 'node:fs/promises';
import { holding } from './lease.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { connectMongo, models } from './mongo.ts';
import { checkRedis, impatientRedis } from './redis.ts';

const LEASE_MS = 6000;
const OPTIONS_CONFLICT = 85;

/** Every model, so that each process knows all indexes, whichever it uses itself. */
const loadModels = async (): Promise<void> => {
  const folder = new URL('./models/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'));
  await Promise.all(files.map((file) => import(new URL(file, folder).href)));
};

const makeIndexes = async (model: ReturnType<typeof models>[number]): Promise<void> => {
  await model.createCollection();
  try {
    await model.createIndexes();
  } catch (error) {
    if ((error as { code?: number }).code !== OPTIONS_CONFLICT) throw error;
    await model.syncIndexes(); // a setting, such as how long records are kept, has changed
  }
};

/** Make every collection, index and pending migration; one process at a time, the others wait. */
export const prepareDatabase = async (steps = migrations): Promise<void> => {
  await loadModels();
  await holding('schema', LEASE_MS, async () => {
    for (const model of models()) await makeIndexes(model);
    await migrate(steps);
  });
};

const refuseUnsafeRedis = async (): Promise<void> => {
  const redis = impatientRedis({ lazyConnect: true });
  try {
    await redis.connect();
    await checkRedis(redis);
  } finally {
    redis.disconnect();
  }
};

/** Connect and prepare; throws when a service is away or unsafe (faults F20). */
export const boot = async (): Promise<void> => {
  await Promise.all([connectMongo(), refuseUnsafeRedis()]);
  await prepareDatabase();
};
