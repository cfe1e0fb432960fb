import { config } from '#shared/config.ts';

const MONGODB = 27_017;
const REDIS = 6_379;
const QDRANT = [6_333, 6_334];

const portOf = (uri: string, standard: number) => Number(new URL(uri).port) || standard;

const mongoPorts = (uri: string) => {
  const hosts = uri.replace(/^[^/]*\/\/(?:[^/]*@)?/, '').split(/[/?]/)[0] ?? '';
  return hosts.split(',').map((host) => Number(/:(\d+)$/.exec(host)?.[1] ?? MONGODB));
};

type Places = Pick<typeof config, 'PORT' | 'MONGODB_URI' | 'REDIS_URL' | 'QDRANT_URL'>;

/** Ports of the services this system stands on, which no entry of `FETCH_ALLOW` opens. */
export const ownPorts = ({ PORT, MONGODB_URI, REDIS_URL, QDRANT_URL }: Places = config) =>
  new Set([
    PORT,
    ...mongoPorts(MONGODB_URI),
    portOf(REDIS_URL, REDIS),
    ...(QDRANT_URL ? [...QDRANT, portOf(QDRANT_URL, QDRANT[0] as number)] : []),
  ]);
