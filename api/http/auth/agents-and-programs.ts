/** The access declaration of endpoints for agents and for the project's programs: its bots and subscriptions. */
export const agentsAndPrograms = { role: 'agent', programs: 'all' } as const;
