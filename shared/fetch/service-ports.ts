/** The ports of our own services. */
import { config } from '../config.ts';
import { parseRedisHosts, REDIS_PORT } from '../settings/redis-url.ts';

const MONGODB_PORT = 27_017;
const QDRANT_PORT = 6_333;
const QDRANT_GRPC_PORT = 6_334;

/**
 * Returns the ports of the hosts in a URI. Does not use `URL`, because a MongoDB URI can list several hosts and a Redis
 * URL can consist of just a host.
 */
const portsOf = (uri: string, defaultPort: number) => {
  const hosts = uri.replace(/^[^/]*\/\/(?:[^/]*@)?/, '').split(/[/?]/)[0] ?? '';
  return hosts.split(',').map((host) => Number(/:(\d+)$/.exec(host)?.[1] ?? defaultPort));
};

/** The ports of Redis and of its Sentinels. Cluster nodes that REDIS_URL does not name are not included. */
const redisPorts = (url: string): number[] => {
  const several = parseRedisHosts(url);
  if (!several) return portsOf(url, REDIS_PORT);
  return [REDIS_PORT, ...several.hosts.map(({ port }) => port)];
};

type ServiceSettings = Pick<typeof config, 'PORT' | 'MONGODB_URI' | 'REDIS_URL' | 'QDRANT_URL'>;

/** Returns the ports of the API, MongoDB, Redis and Qdrant, which no entry of `FETCH_ALLOW` can allow. */
export const servicePorts = ({ PORT, MONGODB_URI, REDIS_URL, QDRANT_URL }: ServiceSettings = config) =>
  new Set([
    PORT,
    ...portsOf(MONGODB_URI, MONGODB_PORT),
    ...redisPorts(REDIS_URL),
    ...(QDRANT_URL ? [QDRANT_PORT, QDRANT_GRPC_PORT, ...portsOf(QDRANT_URL, QDRANT_PORT)] : []),
  ]);
