/** What a bot may know of the conversation that it has part in (contract b 1.19). */
import { AppError } from '../../errors.ts';
import { type Conversation, find, lookUp, type StoredRequest } from './requests.ts';

const NAMED = /^support-group-([0-9a-f]{24})-/;

/** 401 in the words of the contract for an id that names another project, 404 for any other that is not there. */
const mustBeHere = async (where: Conversation): Promise<StoredRequest> => {
  const [, named = where.id_project] = NAMED.exec(where.request_id) ?? [];
  if (named === where.id_project) return find(where);
  const here = await lookUp(where);
  if (here) return here;
  const text = 'The request belongs to another project';
  throw new AppError(401, 'OTHER_PROJECT', text).with({ body: { message: text } });
};

const leadOf = ({ snapshot }: StoredRequest) =>
  (snapshot.lead ?? {}) as Partial<Record<'lead_id' | 'fullname' | 'email' | 'phone', string>>;

const departmentOf = ({ snapshot }: StoredRequest) =>
  (snapshot as { department?: Partial<Record<'_id' | 'name', string>> }).department ?? {};

/** The conversation, its lead and its department as variables by name, those that a client gave it (`attributes`) among them. */
export const variablesOf = async (where: Conversation): Promise<Record<string, unknown>> => {
  const request = await mustBeHere(where);
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
