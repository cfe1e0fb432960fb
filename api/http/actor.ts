/** Who asks, and what they may do. */
import type { Principal } from '#shared/domain/access/principals.ts';

/** Roles from low to high (contract 5.6); `none` and `any` stand below all of them. */
export const ROLES = ['guest', 'user', 'agent', 'admin', 'owner'] as const;

export type MemberRole = (typeof ROLES)[number];
export type Role = MemberRole | 'none' | 'any';

/** Somebody with checked credentials, or nobody, whose id is empty. */
export interface Actor extends Omit<Principal, 'kind'> {
  kind: Principal['kind'] | 'nobody';
  /** The membership in the path's project. */
  role?: MemberRole;
  membership?: string;
}

export const nobody: Actor = { kind: 'nobody', id: '' };

/** Tells one caller from all others: projects name their own users as they like. */
export const callerOf = ({ kind, project = '', id }: Actor): string => `${kind}:${project}:${id}`;

/** True when `role` is at least `least`. */
export const reaches = (role: MemberRole | undefined, least: Role): boolean =>
  least === 'none' || least === 'any' || (role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least));
