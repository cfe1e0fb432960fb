/** The access declaration of endpoints for agents and for the project's bots and subscriptions. */
export const agentsAndBots = { role: 'agent', bots: true } as const;
