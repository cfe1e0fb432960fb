/** Renders canned responses by inserting the names of the agent and the recipient. */
import { find } from '../conversation.ts';
import { findPeople } from '../participants.ts';
import * as cannedResponses from './canned-responses.ts';
import { labelText } from './labels.ts';

const PLACEHOLDER = /\$(recipient_name|agent_name)\b/g;

/** Replaces all placeholders in one pass, so that a placeholder inside a name is not replaced. */
const fillPlaceholders = (text: string, names: Record<string, string>): string =>
  text.replace(PLACEHOLDER, (_, name: string) => names[name] ?? '');

const agentName = async (id_project: string, id: string): Promise<string> => {
  const person = (await findPeople(id_project, [id])).get(id);
  return [person?.firstname, person?.lastname].filter(Boolean).join(' ');
};

/** Returns the name of the conversation's lead, or the project's label for guests. */
const recipientName = async (key: { id_project: string; request_id: string }): Promise<string> => {
  const { snapshot, language } = await find(key);
  const { fullname } = (snapshot.lead ?? {}) as { fullname?: string };
  return fullname || labelText(key.id_project, language ?? '', 'GUEST_LABEL');
};

/** Renders a canned response. Errors: as in `cannedResponses.read`, and 404 for an unknown conversation. */
export const render = async (
  key: { id_project: string; _id: string },
  request_id: string,
  actor: cannedResponses.CallingTeammate,
): Promise<string> => {
  const { text } = await cannedResponses.read(key, actor);
  const [agent_name, recipient_name] = await Promise.all([
    agentName(key.id_project, actor.id),
    recipientName({ id_project: key.id_project, request_id }),
  ]);
  return fillPlaceholders(text, { agent_name, recipient_name });
};
