import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];
type Allowed = { host?: string; range?: Range; port?: number };

/** What an operator allows besides public addresses on web ports, and the ports nothing opens: our own services'. */
export type Rules = { allow: Allowed[]; ownPorts: ReadonlySet<number>; webPorts: ReadonlySet<number> };

/** A connection about to be made: the host as the URL names it, and the address it resolved to. */
export type Target = { host: string; address: string; port: number };

const WEB_PORTS = [80, 443];
const FIRST_FREE_PORT = 1024;
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** In a public range, yet the metadata service of a cloud. */
const PLATFORM = new Set(['168.63.129.16']);

const within = (address: Address, [network, bits]: Range) =>
  address.kind() === network.kind() && address.match(network, bits);

/** Whether an address is one of the open Internet; those that embed an IPv4 address are not. */
export const isPublic = (text: string) => {
  if (isIP(text) === 0 || text.includes('%') || PLATFORM.has(text)) return false;
  const address = ipaddr.parse(text);
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || within(address, GLOBAL_IPV6));
};

const plainHost = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

const ENTRY = /^(?:\[([^\]]+)\](\/\d+)?|([^:[\]]+))(?::(\d{1,5}))?$/;

const parseEntry = (entry: string): Allowed => {
  const [, ipv6, bits = '', other, port] = ENTRY.exec(entry) ?? [];
  const name = ipv6 ? ipv6 + bits : other;
  if (!name) throw new Error(`FETCH_ALLOW: "${entry}" is not host:port or CIDR:port (IPv6 in brackets).`);
  const to = port ? { port: Number(port) } : {};
  if (name.includes('/')) return { range: ipaddr.parseCIDR(name), ...to };
  if (isIP(name)) return { range: [ipaddr.parse(name), isIP(name) === 4 ? 32 : 128], ...to };
  return { host: plainHost(name), ...to };
};

/** Where the settings of the guard come from; only tests, which cannot listen on 80, name other `webPorts`. */
export type RuleSource = { allow: string[]; ownPorts: Iterable<number>; webPorts?: Iterable<number> };

/** Rules from the entries of `FETCH_ALLOW` (decision 48); throws on one it cannot read. */
export const parseRules = ({ allow, ownPorts, webPorts = WEB_PORTS }: RuleSource): Rules => ({
  allow: allow.map(parseEntry),
  ownPorts: new Set(ownPorts),
  webPorts: new Set(webPorts),
});

const anyPort = (port: number, { webPorts }: Rules) => webPorts.has(port) || port >= FIRST_FREE_PORT;

/** Whether a socket may be opened: public addresses on 80 and 443, and what is allowed on ports not our own (decision 48). */
export const mayConnect = ({ host, address, port }: Target, rules: Rules) => {
  if (isPublic(address) && rules.webPorts.has(port)) return true;
  if (isIP(address) === 0 || rules.ownPorts.has(port)) return false;
  const parsed = ipaddr.parse(address);
  return rules.allow.some((rule) => {
    const placed = rule.range ? within(parsed, rule.range) : rule.host === plainHost(host);
    return placed && (rule.port === undefined ? anyPort(port, rules) : rule.port === port);
  });
};
