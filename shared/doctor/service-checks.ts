/** Checks of MongoDB, Redis and the vector store. */
import type { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { checkMongoWritable } from '../database/connection.ts';
import { queueRedis } from '../queue/queue.ts';
import { missingRedisSettings, redisServers } from '../queue/redis.ts';
import { chunkIndex, loadIndexLibraries } from '../vectors/index.ts';
import { type Check, error, type Finding, warning } from './check.ts';

const MIN_MONGODB = '6.0';
const MIN_REDIS = '6.2';
const MAX_MEMORY_PART = 0.8;

/** Whether a version, such as `6.0.5`, is older than the minimum. */
const isOlder = (version: string, minimum: string): boolean =>
  version.localeCompare(minimum, 'en', { numeric: true }) < 0;

const command = async (name: string): Promise<Record<string, unknown>> =>
  (await mongoose.connection.db?.admin().command({ [name]: 1 })) ?? {};

const checkMongodb = async (): Promise<Finding[]> => {
  const [build, { setName, msg }] = await Promise.all([command('buildInfo'), command('hello')]);
  const version = String(build.version);
  await checkMongoWritable();
  return [
    ...(isOlder(version, MIN_MONGODB)
      ? [error(`MongoDB ${version} is too old`, `Update MongoDB to ${MIN_MONGODB} or newer.`)]
      : []),
    ...(setName || msg === 'isdbgrid'
      ? []
      : [
          error(
            'MongoDB is not a replica set, so it has no transactions and no change streams',
            'Start mongod with --replSet rs0 and run rs.initiate() once; one node is enough.',
          ),
        ]),
  ];
};

const infoOf = async (server: Redis): Promise<Map<string, string>> =>
  new Map((await server.info()).split('\r\n').map((line) => line.split(':', 2) as [string, string]));

const checkServer = async (server: Redis): Promise<Finding[]> => {
  const [info, missing] = await Promise.all([infoOf(server), missingRedisSettings(server)]);
  const version = info.get('redis_version') ?? '';
  const [used, max] = [Number(info.get('used_memory')), Number(info.get('maxmemory'))];
  return [
    ...(isOlder(version, MIN_REDIS)
      ? [error(`Redis ${version} is too old`, `Update Redis to ${MIN_REDIS} or newer.`)]
      : []),
    ...missing.map((setting) =>
      error(
        `Redis may lose jobs: it lacks ${setting}`,
        `Run redis-cli CONFIG SET ${setting}, and set it in redis.conf.`,
      ),
    ),
    ...(max > 0 && used > max * MAX_MEMORY_PART
      ? [
          warning(
            `Redis uses ${Math.round((used / max) * 100)}% of maxmemory`,
            'Raise maxmemory; at 100% no job is enqueued.',
          ),
        ]
      : []),
  ];
};

const checkRedis = async (): Promise<Finding[]> =>
  (await Promise.all(redisServers(queueRedis).map(checkServer))).flat();

const checkVectors = async (): Promise<Finding[]> => {
  await chunkIndex().ready();
  await loadIndexLibraries();
  return [];
};

export const serviceChecks: Check[] = [
  { name: 'MongoDB', needs: ['mongodb'], run: checkMongodb },
  { name: 'Redis', needs: ['redis'], run: checkRedis },
  { name: 'vector store', needs: ['vectors'], run: checkVectors },
];
