/** The field `record` of endpoints that change a conversation: `If-Match` refers to the version of the conversation. */
export const record = { collection: 'requests', parameter: 'request_id' } as const;
