/** The record that the endpoints of one conversation change: `If-Match` tells at which versions (decision 43). */
export const record = { in: 'requests', by: 'request_id' } as const;
