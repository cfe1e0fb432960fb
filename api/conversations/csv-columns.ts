/** The CSV columns of conversations. */
import type { StoredConversation } from '#shared/domain/conversations/conversation.ts';

const CONVERSATION_COLUMNS = [
  ...(['_id', 'request_id', 'ticket_id', 'requester', 'first_text', 'subject', 'preflight', 'hasBot'] as const),
  ...(['participants', 'participantsAgents', 'participantsBots', 'priority', 'followers'] as const),
  ...(['assigned_at', 'first_response_at', 'waiting_time', 'closed_at', 'closed_by', 'duration'] as const),
  ...(['rating', 'rating_message', 'sourcePage', 'language', 'userAgent', 'smartAssignment'] as const),
  ...(['workingStatus', 'id_project', 'createdBy', 'createdAt', 'updatedAt'] as const),
];
const DERIVED_COLUMNS = ['channel_name', 'department_name', 'lead_fullname', 'lead_email', 'tags'] as const;
const PHONE_COLUMNS = ['caller_phone', 'called_phone', 'call_id'] as const;

/** All columns, in their order in the file. The phone columns are empty unless the conversation is a phone call. */
export const CSV_COLUMNS = [...CONVERSATION_COLUMNS, ...DERIVED_COLUMNS, ...PHONE_COLUMNS];

/** Projection of the conversation fields from which `toCsvRow` builds a row. */
export const CSV_FIELDS = {
  ...(Object.fromEntries(CONVERSATION_COLUMNS.map((name) => [name, 1])) as Record<
    (typeof CONVERSATION_COLUMNS)[number],
    1
  >),
  ...({ channel: 1, tags: 1, snapshot: 1, attributes: 1 } as const),
};

interface ConversationSnapshot {
  lead?: { fullname?: string; email?: string };
  department?: { name?: string };
}

/** Converts a conversation to a row. */
export const toCsvRow = (conversation: StoredConversation) => {
  const { lead, department } = conversation.snapshot as ConversationSnapshot;
  const { caller_phone, called_phone, call_id } = conversation.attributes ?? {};
  return {
    ...conversation,
    channel_name: conversation.channel.name,
    department_name: department?.name,
    lead_fullname: lead?.fullname,
    lead_email: lead?.email,
    tags: conversation.tags.map(({ tag }) => tag),
    ...{ caller_phone, called_phone, call_id },
  };
};
