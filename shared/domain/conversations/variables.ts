/** What a bot may know of the conversation that it has part in (contract b 1.19). */
import { type Conversation, find, type StoredRequest } from './requests.ts';

const leadOf = ({ snapshot }: StoredRequest) =>
  (snapshot.lead ?? {}) as Partial<Record<'lead_id' | 'fullname' | 'email' | 'phone', string>>;

const departmentOf = ({ snapshot }: StoredRequest) =>
  (snapshot as { department?: Partial<Record<'_id' | 'name', string>> }).department ?? {};

/** The conversation, its lead and its department as variables by name, those that a client gave it (`attributes`) among them. */
export const variablesOf = async (where: Conversation): Promise<Record<string, unknown>> => {
  const request = await find(where);
  const [lead, department] = [leadOf(request), departmentOf(request)];
  const { last_message: _, ...attributes } = request.attributes ?? {};
  const known = {
    ...{ project_id: where.id_project, conversation_id: where.request_id, ticket_id: request.ticket_id },
    ...{ chat_channel: request.channel.name, user_language: request.language, user_agent: request.userAgent },
    ...{ source_page: request.sourcePage, chatbot_id: request.participantsBots[0] },
    ...{ department_id: department._id, department_name: department.name },
    ...{ lead_id: request.lead, user_id: lead.lead_id, user_fullname: lead.fullname },
    ...{ user_email: lead.email, user_phone: lead.phone },
  };
  return { ...attributes, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value != null)) };
};
