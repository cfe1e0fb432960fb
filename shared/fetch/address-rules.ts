/** Decides which addresses and ports may be connected to. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type AddressRange = [Address, number];
type AllowedTarget = { host?: string; range?: AddressRange; port?: number };

/**
 * `allow`: the targets allowed in addition to public addresses on web ports. `servicePorts`: the ports of our own
 * services, which no entry of FETCH_ALLOW can allow.
 */
export type AddressRules = { allow: AllowedTarget[]; servicePorts: ReadonlySet<number>; webPorts: ReadonlySet<number> };

/** A connection to open: the host of the URL, and the address that it resolved to. */
export type ConnectionTarget = { host: string; address: string; port: number };

const WEB_PORTS = [80, 443];
const FIRST_UNPRIVILEGED_PORT = 1024;
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** The addresses of cloud metadata services that are in public ranges. */
const CLOUD_METADATA_ADDRESSES = new Set(['168.63.129.16']);

const isInRange = (address: Address, [network, bits]: AddressRange) =>
  address.kind() === network.kind() && address.match(network, bits);

/** Whether an address is public. IPv6 addresses that embed an IPv4 address are not public. */
export const isPublic = (text: string) => {
  if (isIP(text) === 0 || text.includes('%') || CLOUD_METADATA_ADDRESSES.has(text)) return false;
  const address = ipaddr.parse(text);
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isInRange(address, GLOBAL_IPV6));
};

const normalizeHost = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

const ALLOW_ENTRY = /^(?:\[([^\]]+)\](\/\d+)?|([^:[\]]+))(?::(\d{1,5}))?$/;

const parseEntry = (entry: string): AllowedTarget => {
  const [, ipv6, bits = '', other, port] = ALLOW_ENTRY.exec(entry) ?? [];
  const name = ipv6 ? ipv6 + bits : other;
  if (!name)
    throw new Error(
      `FETCH_ALLOW: "${entry}" must be a host or CIDR, optionally with :port, and with IPv6 in brackets.`,
    );
  const portRule = port ? { port: Number(port) } : {};
  if (name.includes('/')) return { range: ipaddr.parseCIDR(name), ...portRule };
  if (isIP(name)) return { range: [ipaddr.parse(name), isIP(name) === 4 ? 32 : 128], ...portRule };
  return { host: normalizeHost(name), ...portRule };
};

/** The input of the rules. Tests pass `webPorts`, because they cannot listen on port 80. */
export type AddressRuleSource = { allow: string[]; servicePorts: Iterable<number>; webPorts?: Iterable<number> };

/** Parses the entries of `FETCH_ALLOW`; throws if one is invalid. */
export const parseAddressRules = ({ allow, servicePorts, webPorts = WEB_PORTS }: AddressRuleSource): AddressRules => ({
  allow: allow.map(parseEntry),
  servicePorts: new Set(servicePorts),
  webPorts: new Set(webPorts),
});

const isUsablePort = (port: number, { webPorts }: AddressRules) =>
  webPorts.has(port) || port >= FIRST_UNPRIVILEGED_PORT;

/**
 * Whether a socket may be opened: to public addresses on web ports, and to allowed targets on the port of their entry.
 * An entry without a port allows web ports and ports above 1023. No entry allows the ports of our own services.
 */
export const mayConnect = ({ host, address, port }: ConnectionTarget, rules: AddressRules) => {
  if (isPublic(address) && rules.webPorts.has(port)) return true;
  if (isIP(address) === 0 || rules.servicePorts.has(port)) return false;
  const parsed = ipaddr.parse(address);
  return rules.allow.some((rule) => {
    const matches = rule.range ? isInRange(parsed, rule.range) : rule.host === normalizeHost(host);
    return matches && (rule.port === undefined ? isUsablePort(port, rules) : rule.port === port);
  });
};
