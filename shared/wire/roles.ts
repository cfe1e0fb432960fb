/** The roles of memberships: their order, and the sets of roles that rules refer to. */

/** Roles from least to most privileged. */
export const ROLES = ['guest', 'user', 'agent', 'admin', 'owner'] as const;

export type MemberRole = (typeof ROLES)[number];

/** Returns the position of a role in the order of `ROLES`; -1 for an unknown role. */
export const roleRank = (role: string): number => (ROLES as readonly string[]).indexOf(role);

/** Roles of teammates who serve conversations. */
export const AGENT_ROLES = ['agent', 'admin', 'owner'] as const;

/** Roles of teammates who administer a project. */
export const ADMIN_ROLES = ['admin', 'owner'] as const;
