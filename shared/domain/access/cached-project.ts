/**
 * The fields of a project that every call and every message needs, cached in each process. Among them are the access
 * rules, which apply to every call under `/v3/:project_id/`: IP allow and deny lists, and bans.
 */
import ipaddr from 'ipaddr.js';
import { AppError } from '../../errors.ts';
import { PROJECT_ACTIVE, Project } from '../../models/project.ts';
import { isId } from '../../wire/view.ts';
import { AccessCache, accessKey } from './access-changes.ts';

/** The access rules of a project. */
export interface ProjectAccessRules {
  ipFilterEnabled?: boolean | null;
  /**
   * The allow list: IP addresses and CIDR ranges. An empty list allows every address, so that a project does not lock
   * out its own administrators.
   */
  ipFilter?: string[];
  ipFilterDenyEnabled?: boolean | null;
  ipFilterDeny?: string[];
  bannedUsers?: { id: string; ip?: string | null }[];
}

const ACCESS_RULE_FIELDS = {
  ...{ ipFilterEnabled: 1, ipFilter: 1, ipFilterDenyEnabled: 1, ipFilterDeny: 1 },
  ...{ 'bannedUsers.id': 1, 'bannedUsers.ip': 1 },
} as const;

const CACHED_FIELDS = {
  ...({ name: 1, status: 1, settings: 1, profile: 1, createdAt: 1 } as const),
  ...({ activeOperatingHours: 1, operatingHours: 1, timeSlots: 1 } as const),
  ...ACCESS_RULE_FIELDS,
};

const readProject = (id: string) => Project.findOne({ _id: id, status: PROJECT_ACTIVE }, CACHED_FIELDS).lean();

/** The cached fields of an active project. */
export type CachedProject = NonNullable<Awaited<ReturnType<typeof readProject>>>;

const cache = new AccessCache<CachedProject>(10_000);

/**
 * Returns an active project; null if it is unknown or disabled. A change to the project is visible immediately in the
 * process that makes it, and within a second in all others.
 */
export const findCachedProject = async (id: string): Promise<CachedProject | null> => {
  if (!isId(id)) return null;
  return cache.getOrLoad(id, async () => {
    const value = await readProject(id);
    return value && { value, accessKeys: [accessKey({ project: id })] };
  });
};

/** Reads the access rules of a project; null if the project is unknown or disabled. */
export const findAccessRules = async (id: string): Promise<ProjectAccessRules | null> =>
  isId(id) ? Project.findOne({ _id: id, status: PROJECT_ACTIVE }, ACCESS_RULE_FIELDS).lean<ProjectAccessRules>() : null;

const rangeContains = (range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
  // Stored values are not always valid addresses.
  if (!ipaddr.isValid(range) && !ipaddr.isValidCIDR(range)) return false;
  const [network, bits] = range.includes('/')
    ? ipaddr.parseCIDR(range)
    : ([ipaddr.process(range), address.kind() === 'ipv4' ? 32 : 128] as const);
  return network.kind() === address.kind() && address.match([network, bits] as [typeof address, number]);
};

const listContains = (list: string[] = [], ip: string): boolean => {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip); // turns an IPv4-mapped IPv6 address into IPv4
  return list.some((range) => rangeContains(range, address));
};

/**
 * A caller who is checked against the access rules. `id` is empty for a caller without credentials. The IP address of a
 * ban applies only to visitors, because teammates may have the same address as the banned person.
 */
export interface AccessAttempt {
  ip: string;
  id: string;
  isVisitor: boolean;
}

const isBanned = ({ bannedUsers = [] }: ProjectAccessRules, { ip, id, isVisitor }: AccessAttempt): boolean =>
  bannedUsers.some((ban) => (id && ban.id === id) || (isVisitor && ban.ip && listContains([ban.ip], ip)));

/** Returns why the rules deny a call, or undefined if they allow it. */
export const denialReason = (rules: ProjectAccessRules, attempt: AccessAttempt): string | undefined => {
  const { ipFilterEnabled, ipFilter = [], ipFilterDenyEnabled, ipFilterDeny } = rules;
  if (ipFilterEnabled && ipFilter.length && !listContains(ipFilter, attempt.ip))
    return 'Your IP address is not in the allow list of this project';
  if (ipFilterDenyEnabled && listContains(ipFilterDeny, attempt.ip))
    return 'Your IP address is in the deny list of this project';
  if (isBanned(rules, attempt)) return 'You are banned from this project';
  return undefined;
};

/** Throws 401 if the rules deny a call. */
export const assertAllowed = (rules: ProjectAccessRules, attempt: AccessAttempt): void => {
  const reason = denialReason(rules, attempt);
  if (reason) throw new AppError(401, 'ACCESS_DENIED', reason).with({ body: { err: reason } });
};

/** Throws 401 if the cached rules of a project deny a call. */
export const assertProjectAccess = async (project: string, attempt: AccessAttempt): Promise<void> =>
  assertAllowed((await findCachedProject(project)) ?? {}, attempt);
