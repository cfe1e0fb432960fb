/** What parameters of path and query mean, where their own schema does not say; names mean the same everywhere. */
export const PARAMETERS: Record<string, string> = {
  project_id: 'The project; 24 hexadecimal digits',
  namespace: 'The knowledge base; the default one has the id of the project',
  content_id: 'The content; 24 hexadecimal digits',
  request_id: 'The conversation: any text, unique in its project',
  message_id: 'The message; 24 hexadecimal digits',
  participant_id: 'A user, or `bot_` with the id of a bot',
  id: 'The record',
  banid: 'The entry of `bannedUsers`; 24 hexadecimal digits',
  status: 'Only those with this status',
  type: 'Only those of this type',
  search: 'Only those with this text',
  count: 'Given: counts what each one holds',
  content_only: '`true`: only what is in it',
  contents_only: 'Other name of `content_only`',
  returnObject: '`true`: the whole record',
};
