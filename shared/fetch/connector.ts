/** Opens sockets only to addresses that the rules allow. */
import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { type AddressRules, mayConnect } from './address-rules.ts';
import { dnsError, refusedTargetError } from './errors.ts';

/** Resolves a name to all of its addresses, as `dns.lookup` does with its `all` option. */
export type ResolveHost = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const CONNECT_TIMEOUT_MS = 10_000;

type TcpTarget = { host: string; port: number };

const checkAddresses = ({ host, port }: TcpTarget, addresses: string[], rules: AddressRules) =>
  addresses.every((address) => mayConnect({ host, address, port }, rules)) ? undefined : refusedTargetError(host, port);

/** Returns a lookup function that checks addresses; it refuses a name if one of its addresses is forbidden. */
const guardedLookup = (target: TcpTarget, rules: AddressRules, resolve: ResolveHost): LookupFunction =>
  function lookup(host, options, done) {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(dnsError(host, error?.code), []);
      const refusal = checkAddresses(
        target,
        addresses.map(({ address }) => address),
        rules,
      );
      if (refusal) return done(refusal, []);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };

/**
 * Returns a connector that checks addresses before it connects: the addresses of a name after the lookup, and a
 * literal address directly.
 */
export const guardedConnector = (
  build: typeof buildConnector,
  { rules, resolve }: { rules: AddressRules; resolve: ResolveHost },
): buildConnector.connector => {
  return (options, done) => {
    const defaultPort = options.protocol === 'https:' ? 443 : 80;
    const target = { host: options.hostname, port: Number(options.port) || defaultPort };
    const refusal = isIP(target.host) ? checkAddresses(target, [target.host], rules) : undefined;
    if (refusal) return process.nextTick(done, refusal, null);
    const lookup = guardedLookup(target, rules, resolve);
    return build({ allowH2: false, timeout: CONNECT_TIMEOUT_MS, lookup })(options, done);
  };
};
