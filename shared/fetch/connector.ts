import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { dnsFailed, refusedTarget } from './errors.ts';
import { mayConnect, type Rules } from './rules.ts';

/** Resolves a name to all its addresses, as `dns.lookup` does with `all`. */
export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const CONNECT_TIMEOUT = 10_000;

type Place = { host: string; port: number };

const judge = ({ host, port }: Place, addresses: string[], rules: Rules) =>
  addresses.every((address) => mayConnect({ host, address, port }, rules)) ? undefined : refusedTarget(host, port);

/** A look-up that hands the socket only addresses it has judged; one private answer among many refuses the name. */
const guardedLookup = (place: Place, rules: Rules, resolve: Resolve): LookupFunction =>
  function lookup(host, options, done) {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(dnsFailed(host, error?.code), []);
      const refused = judge(
        place,
        addresses.map(({ address }) => address),
        rules,
      );
      if (refused) return done(refused, []);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };

/** Opens sockets for the crawler: names are judged after look-up, literal addresses (which skip it) before. */
export const guardedConnector = (rules: Rules, resolve: Resolve): buildConnector.connector => {
  return (options, done) => {
    const standard = options.protocol === 'https:' ? 443 : 80;
    const place = { host: options.hostname, port: Number(options.port) || standard };
    const refused = isIP(place.host) ? judge(place, [place.host], rules) : undefined;
    if (refused) return process.nextTick(done, refused, null);
    const lookup = guardedLookup(place, rules, resolve);
    return buildConnector({ allowH2: false, timeout: CONNECT_TIMEOUT, lookup })(options, done);
  };
};
