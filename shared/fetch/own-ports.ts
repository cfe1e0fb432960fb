import { config } from '#shared/config.ts';

const MONGODB = 27_017;
const REDIS = 6_379;
const QDRANT = 6_333;
const QDRANT_GRPC = 6_334;

/** By hand, since a MongoDB URI may name several hosts and a Redis one none of the parts but the host. */
const portsOf = (uri: string, standard: number) => {
  const hosts = uri.replace(/^[^/]*\/\/(?:[^/]*@)?/, '').split(/[/?]/)[0] ?? '';
  return hosts.split(',').map((host) => Number(/:(\d+)$/.exec(host)?.[1] ?? standard));
};

type Places = Pick<typeof config, 'PORT' | 'MONGODB_URI' | 'REDIS_URL' | 'QDRANT_URL'>;

/** Ports of the services this system stands on, which no entry of `FETCH_ALLOW` opens. */
export const ownPorts = ({ PORT, MONGODB_URI, REDIS_URL, QDRANT_URL }: Places = config) =>
  new Set([
    PORT,
    ...portsOf(MONGODB_URI, MONGODB),
    ...portsOf(REDIS_URL, REDIS),
    ...(QDRANT_URL ? [QDRANT, QDRANT_GRPC, ...portsOf(QDRANT_URL, QDRANT)] : []),
  ]);
