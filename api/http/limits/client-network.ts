/** Maps an IP address to the key by which calls are counted. */
import ipaddr from 'ipaddr.js';

/** A /64 network: four of the eight 16-bit parts of an IPv6 address. */
const IPV6_NETWORK_PARTS = 4;

/** The address itself for IPv4; the /64 network for IPv6, because a single customer usually controls a whole /64. */
export const clientNetwork = (ip: string): string => {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, IPV6_NETWORK_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
};
