/**
 * The documents of the public server (the system from which `import` copies a database) in their form on the wire. The
 * API's replies are compared with them.
 */
import type { ConversationDocuments } from './conversations.ts';
import type { Document } from './documents.ts';

type Json = ReturnType<typeof JSON.parse>;

const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

/** Fields of a conversation that both systems return as stored. */
const SAME_FIELDS = [
  ...['_id', 'id_project', 'request_id', 'ticket_id', 'first_text', 'subject', 'priority', 'followers', 'status'],
  ...['preflight', 'smartAssignment', 'hasBot', 'participants', 'participantsAgents', 'participantsBots', 'channel'],
  ...['channelOutbound', 'sourcePage', 'language', 'userAgent', 'location', 'contact', 'rating', 'rating_message'],
  ...['assigned_at', 'waiting_time', 'first_response_at', 'closed_at', 'closed_by', 'duration', 'attributes'],
  ...['department', 'notes', 'createdBy', 'createdAt', 'updatedAt', '__v'],
];

/** Fields that this system counts or computes itself. */
const COMPUTED_FIELDS = new Set(['id', 'id_user', 'presence', 'isAuthenticated', 'number_assigned_requests', 'role']);

const withoutComputed = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !COMPUTED_FIELDS.has(key)));

const pick = (record: Json, fields: string[]): Json =>
  Object.fromEntries(fields.flatMap((field) => (record[field] == null ? [] : [[field, record[field]]])));

/** The comparable part of a conversation: of a stored document, or of a reply from the API. */
interface ComparableConversation {
  fields: Json;
  requester_id: string | null;
  lead: Json;
  requester: Json;
  tags: Json;
  agents: string[];
}

const withoutTagIds = (tags: Json[]): Json[] => tags.map(({ tag, color }) => ({ tag, ...(color && { color }) }));

/** Returns what a reply must contain for a stored conversation. `lead` and `member` belong to its visitor. */
export const expectedConversation = (
  { request }: ConversationDocuments,
  { lead, member, agents }: { lead: Document; member: Document; agents: Document[] },
): ComparableConversation => {
  const stored = toJson(request);
  const { last_ip: _, ...requester } = toJson(member);
  return {
    fields: pick(stored, SAME_FIELDS),
    requester_id: String(lead._id),
    lead: toJson(lead),
    requester: withoutComputed(requester),
    tags: withoutTagIds(stored.tags),
    agents: agents.map(({ _id }) => String(_id)),
  };
};

/** Returns the comparable part of a reply. */
export const comparableConversation = (reply: Json): ComparableConversation => ({
  fields: pick(reply, SAME_FIELDS),
  requester_id: reply.requester_id,
  lead: reply.lead,
  requester: withoutComputed(reply.requester),
  tags: withoutTagIds(reply.tags),
  agents: reply.agents.map(({ _id }: Json) => _id),
});

/** Returns the messages that a reply must contain. */
export const expectedMessages = ({ messages }: ConversationDocuments): Json[] => toJson(messages);
