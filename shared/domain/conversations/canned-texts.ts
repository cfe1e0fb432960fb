/** Canned responses as they are said: with the names of who says and who hears them (contract 2.9). */
import * as canned from './canned.ts';
import { wordOf } from './labels.ts';
import { peopleOf } from './participating.ts';
import { find } from './requests.ts';

const PLACEHOLDER = /\$(recipient_name|agent_name)\b/g;

/** In one pass, so that a name that looks like a placeholder stays a name. */
const fill = (text: string, names: Record<string, string>): string =>
  text.replace(PLACEHOLDER, (_, name: string) => names[name] ?? '');

const agentName = async (id_project: string, id: string): Promise<string> => {
  const person = (await peopleOf(id_project, [id])).get(id);
  return [person?.firstname, person?.lastname].filter(Boolean).join(' ');
};

/** Who is written to; somebody without a name is called what the project calls its visitors. */
const recipientName = async (where: { id_project: string; request_id: string }): Promise<string> => {
  const { snapshot, language } = await find(where);
  const { fullname } = (snapshot.lead ?? {}) as { fullname?: string };
  return fullname || wordOf(where.id_project, language ?? '', 'GUEST_LABEL');
};

/** The text for one conversation; 404 for an unknown one, and as `read` does. */
export const render = async (
  where: { id_project: string; _id: string },
  request_id: string,
  by: canned.Teammate,
): Promise<string> => {
  const { text } = await canned.read(where, by);
  const [agent_name, recipient_name] = await Promise.all([
    agentName(where.id_project, by.id),
    recipientName({ id_project: where.id_project, request_id }),
  ]);
  return fill(text, { agent_name, recipient_name });
};
