/** The setting `REDIS_URL`: one Redis, a Redis Cluster, or a Redis whose address Sentinels know. */

/** The default ports of Redis and of Sentinel. */
export const REDIS_PORT = 6379;
export const SENTINEL_PORT = 26_379;

/** Several hosts and what they are: nodes of a Redis Cluster, or Sentinels of a master. */
export interface RedisHosts {
  kind: 'cluster' | 'sentinel';
  hosts: { host: string; port: number }[];
  isEncrypted: boolean;
  username?: string;
  password?: string;
  /** For Sentinels: the name of the master, its database, and the password of the Sentinels. */
  masterName?: string;
  db?: number;
  sentinelPassword?: string;
}

const SINGLE = /^rediss?:\/\/[^\s,]+$/;
const SEVERAL =
  /^redis(s?)\+(cluster|sentinel):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^\s/?@]+)(?:\/([^/?]*)(?:\/(\d+))?)?(?:\?(.*))?$/;
const HOST = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/;

const decode = (text?: string): string | undefined => (text ? decodeURIComponent(text) : undefined);

const hostOf = (text: string, defaultPort: number) => {
  const [, bracketed, name, port] = HOST.exec(text) ?? [];
  const host = bracketed ?? name;
  return host ? [{ host, port: Number(port ?? defaultPort) }] : [];
};

/** Parses a URL with several hosts; undefined if it is the URL of one Redis, or invalid. */
export const parseRedisHosts = (url: string): RedisHosts | undefined => {
  const [, encrypted, kind, username, password, list = '', path, db, query] = SEVERAL.exec(url) ?? [];
  if (kind !== 'cluster' && kind !== 'sentinel') return undefined;
  const names = list.split(',');
  const hosts = names.flatMap((name) => hostOf(name, kind === 'cluster' ? REDIS_PORT : SENTINEL_PORT));
  if (hosts.length !== names.length || (kind === 'sentinel') !== Boolean(path)) return undefined;
  const common = { hosts, isEncrypted: encrypted === 's', username: decode(username), password: decode(password) };
  if (kind === 'cluster') return { kind, ...common };
  const sentinelPassword = new URLSearchParams(query).get('sentinelPassword') ?? undefined;
  return { kind, ...common, masterName: decode(path), db: Number(db ?? 0), sentinelPassword };
};

/** Whether a string is a valid `REDIS_URL`. */
export const isRedisUrl = (url: string): boolean =>
  parseRedisHosts(url) !== undefined || (SINGLE.test(url) && URL.canParse(url));
