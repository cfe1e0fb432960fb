/** The `record` of endpoints that change a conversation: `If-Match` is checked against its version. */
export const record = { collection: 'requests', parameter: 'request_id' } as const;
