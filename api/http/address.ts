import ipaddr from 'ipaddr.js';

const NETWORK_PARTS = 4;

/** The address by which calls are counted: of IPv6 the network of 64 bits, all of which one customer has. */
export const networkOf = (ip: string): string => {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, NETWORK_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
};
