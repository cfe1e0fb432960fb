/** Access of an endpoint that agents may call, and the tokens of the project's bots and subscriptions. */
export const agentsAndBots = { role: 'agent', bots: true } as const;
