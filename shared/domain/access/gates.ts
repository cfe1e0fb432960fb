/** Whom a project keeps out of everything under its path, whatever their role (contract a 1.1). */
import ipaddr from 'ipaddr.js';
import { ACTIVE, Project } from '../../models/project.ts';
import { isId } from '../../view.ts';

/** What a project says about who may come in. */
export interface Gates {
  ipFilterEnabled?: boolean | null;
  /** Addresses and CIDRs; an empty list lets everybody in, or nobody could ever be let in again. */
  ipFilter?: string[];
  ipFilterDenyEnabled?: boolean | null;
  ipFilterDeny?: string[];
  bannedUsers?: { id: string }[];
}

const FIELDS = {
  ...{ ipFilterEnabled: 1, ipFilter: 1, ipFilterDenyEnabled: 1, ipFilterDeny: 1 },
  'bannedUsers.id': 1,
} as const;

/** The gates of a project in use, or null. */
export const gatesOf = async (id: string): Promise<Gates | null> =>
  isId(id) ? Project.findOne({ _id: id, status: ACTIVE }, FIELDS).lean<Gates>() : null;

const holds = (range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
  // What was stored by another program may be no address at all.
  if (!ipaddr.isValid(range) && !ipaddr.isValidCIDR(range)) return false;
  const [network, bits] = range.includes('/')
    ? ipaddr.parseCIDR(range)
    : ([ipaddr.process(range), address.kind() === 'ipv4' ? 32 : 128] as const);
  return network.kind() === address.kind() && address.match([network, bits] as [typeof address, number]);
};

const isIn = (list: string[] = [], ip: string): boolean => {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip); // an IPv4 address that came over an IPv6 socket is one
  return list.some((range) => holds(range, address));
};

/** Why somebody must stay out, or nothing. `id` is a person's or a visitor's, empty for nobody. */
export const refusal = (gates: Gates, { ip, id }: { ip: string; id: string }): string | undefined => {
  const { ipFilterEnabled, ipFilter = [], ipFilterDenyEnabled, ipFilterDeny, bannedUsers = [] } = gates;
  if (ipFilterEnabled && ipFilter.length && !isIn(ipFilter, ip)) return 'Your address is not allowed here';
  if (ipFilterDenyEnabled && isIn(ipFilterDeny, ip)) return 'Your address is denied here';
  if (id && bannedUsers.some((banned) => banned.id === id)) return 'You are banned from this project';
  return undefined;
};
