/** The roles of memberships: their order, and the sets of roles that rules refer to. */

/** Roles from least to most privileged. */
const ROLE_ORDER = ['guest', 'user', 'agent', 'admin', 'owner'];

/** Returns the position of a role in their order; -1 for an unknown one. */
export const roleRank = (role: string): number => ROLE_ORDER.indexOf(role);

/** Roles of teammates who serve conversations. */
export const AGENT_ROLES = ['agent', 'admin', 'owner'] as const;

/** Roles of teammates who administrate a project. */
export const ADMIN_ROLES = ['admin', 'owner'] as const;
