/** Reads the variables of a conversation for bots. */
import { type ConversationKey, find, type StoredConversation } from '../conversation.ts';

const leadOf = ({ snapshot }: StoredConversation) =>
  (snapshot.lead ?? {}) as Partial<Record<'lead_id' | 'fullname' | 'email' | 'phone', string>>;

const departmentOf = ({ snapshot }: StoredConversation) =>
  (snapshot as { department?: Partial<Record<'_id' | 'name', string>> }).department ?? {};

/**
 * Returns variables by name: the `attributes` of a conversation, except `last_message`, and values that describe the
 * conversation, its lead and its department. Throws 404 for an unknown conversation.
 */
export const botVariables = async (key: ConversationKey): Promise<Record<string, unknown>> => {
  const request = await find(key);
  const [lead, department] = [leadOf(request), departmentOf(request)];
  const { last_message: _, ...attributes } = request.attributes ?? {};
  const variables = {
    ...{ project_id: key.id_project, conversation_id: key.request_id, ticket_id: request.ticket_id },
    ...{ chat_channel: request.channel.name, user_language: request.language, user_agent: request.userAgent },
    ...{ source_page: request.sourcePage, chatbot_id: request.participantsBots[0] },
    ...{ department_id: department._id, department_name: department.name },
    ...{ lead_id: request.lead, user_id: lead.lead_id, user_fullname: lead.fullname },
    ...{ user_email: lead.email, user_phone: lead.phone },
  };
  return { ...attributes, ...Object.fromEntries(Object.entries(variables).filter(([, value]) => value != null)) };
};
