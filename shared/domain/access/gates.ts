/** Whom a project keeps out of everything under its path. */
import ipaddr from 'ipaddr.js';
import { AppError } from '../../errors.ts';
import { ACTIVE, Project } from '../../models/project.ts';
import { isId } from '../../view.ts';

/** What a project says about who may come in. */
export interface Gates {
  ipFilterEnabled?: boolean | null;
  /** Addresses and CIDRs; an empty list lets everybody in, or nobody could ever be let in again. */
  ipFilter?: string[];
  ipFilterDenyEnabled?: boolean | null;
  ipFilterDeny?: string[];
  bannedUsers?: { id: string; ip?: string | null }[];
}

const FIELDS = {
  ...{ ipFilterEnabled: 1, ipFilter: 1, ipFilterDenyEnabled: 1, ipFilterDeny: 1 },
  ...{ 'bannedUsers.id': 1, 'bannedUsers.ip': 1 },
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

/** Who calls: `id` is empty for nobody. A ban's address holds for visitors alone, as teammates may share it. */
export interface Comer {
  ip: string;
  id: string;
  visitor: boolean;
}

const isBanned = ({ bannedUsers = [] }: Gates, { ip, id, visitor }: Comer): boolean =>
  bannedUsers.some((ban) => (id && ban.id === id) || (visitor && ban.ip && isIn([ban.ip], ip)));

/** Why somebody must stay out, or nothing. */
export const refusal = (gates: Gates, comer: Comer): string | undefined => {
  const { ipFilterEnabled, ipFilter = [], ipFilterDenyEnabled, ipFilterDeny } = gates;
  if (ipFilterEnabled && ipFilter.length && !isIn(ipFilter, comer.ip)) return 'Your address is not allowed here';
  if (ipFilterDenyEnabled && isIn(ipFilterDeny, comer.ip)) return 'Your address is denied here';
  if (isBanned(gates, comer)) return 'You are banned from this project';
  return undefined;
};

/** 401 for whomever the project keeps out. */
export const mustPass = (gates: Gates, comer: Comer): void => {
  const reason = refusal(gates, comer);
  if (reason) throw new AppError(401, 'KEPT_OUT', reason).with({ body: { err: reason } });
};
