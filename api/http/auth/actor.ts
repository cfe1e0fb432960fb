/** The actor of a request, and the roles that an endpoint may require. */
import type { Principal } from '#shared/domain/access/principals.ts';
import { type MemberRole, roleRank } from '#shared/wire/roles.ts';

/**
 * The minimum role of an endpoint. `none` and `any` (see `EndpointDeclaration.role`) rank below the roles of members.
 */
export type Role = MemberRole | 'none' | 'any';

/** An authenticated principal, or `anonymous` with an empty id. */
export interface Actor extends Omit<Principal, 'kind'> {
  kind: Principal['kind'] | 'anonymous';
  /** Role and membership in the project of the path, for members. */
  role?: MemberRole;
  membership?: string;
}

export const anonymous: Actor = { kind: 'anonymous', id: '' };

/** A unique key of an actor. Includes kind and project, because projects choose the ids of their own users. */
export const actorKey = ({ kind, project = '', id }: Actor): string => `${kind}:${project}:${id}`;

/** Whether `role` is at least `minimum`. */
export const hasRole = (role: MemberRole | undefined, minimum: Role): boolean =>
  minimum === 'none' || minimum === 'any' || (role !== undefined && roleRank(role) >= roleRank(minimum));
