/**
 * How many conversations an agent may have open. The API has two rules:
 *
 * - Assignment and `isBusy` (`capacityOf`): an agent's own limit always applies. The project's limit applies to an
 *   agent without a limit, if the project has switched limits on.
 * - The list of available agents (`isBelowListLimit`): limits apply only if the project has switched them on and has
 *   set a limit. An agent's own limit then replaces the project's.
 *
 * The rules differ if an agent has a limit and the project has none. An agent who has reached that limit is assigned no
 * conversation and is `isBusy`, but is still listed as available, because deployed clients rely on the rule of the
 * list.
 */

/** The settings of a project that define limits. */
export interface ProjectLimits {
  chat_limit_on?: unknown;
  max_agent_assigned_chat?: unknown;
}

/** Returns a project's limit for agents without one of their own; null if limits are off or no limit is set. */
export const projectLimit = ({ chat_limit_on, max_agent_assigned_chat: limit }: ProjectLimits = {}): number | null =>
  chat_limit_on && typeof limit === 'number' && limit > 0 ? limit : null;

/**
 * Returns an agent's limit for assignment: their own (`max_assigned_chat`), otherwise the project's; null if none is
 * set.
 */
export const capacityOf = (own: number | null | undefined, limit: number | null): number | null =>
  own && own > 0 ? own : limit;

/** Returns whether an agent can be assigned one more conversation. */
export const hasCapacity = ({ open, capacity }: { open: number; capacity: number | null }): boolean =>
  capacity === null || open < capacity;

const OWN_LIMIT = { $ifNull: ['$max_assigned_chat', 0] };

/** Returns the filter for agents who can be assigned one more conversation; `limit` is the project's limit. */
export const hasCapacityFilter = (limit: number | null) => ({
  $expr: {
    $cond: [
      { $gt: [OWN_LIMIT, 0] },
      { $lt: ['$number_assigned_requests', OWN_LIMIT] },
      limit === null || { $lt: ['$number_assigned_requests', limit] },
    ],
  },
});

/** Values of an agent's `max_assigned_chat` for which the list of available agents uses the project's limit. */
const NO_OWN_LIMIT = [0, -1];

/** Returns whether the list of available agents includes an agent with this load. */
export const isBelowListLimit = (
  { chat_limit_on, max_agent_assigned_chat: limit }: ProjectLimits,
  agent: { max_assigned_chat?: number | null; number_assigned_requests?: number | null },
): boolean => {
  if (!chat_limit_on || typeof limit !== 'number' || !limit) return true;
  const own = agent.max_assigned_chat ?? 0;
  return (agent.number_assigned_requests ?? 0) < (NO_OWN_LIMIT.includes(own) ? limit : own);
};
