/** Messages beside the conversations: from the team to one person of the project (contract b 3.7). */
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { invalidField } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { Lead } from '../../models/lead.ts';
import { Message } from '../../models/message.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { makeOnce } from '../../mongo.ts';
import { spendBytes } from '../../project-bytes.ts';
import { countOf } from '../../read.ts';
import { isId } from '../../view.ts';
import { wire } from '../../wire-profile.ts';
import { post } from './conversations.ts';
import { fillerOf } from './labels.ts';
import { read, type StoredMessage } from './messages.ts';
import { BOT, isBot } from './participants.ts';
import { lookUp, type Speaker } from './requests.ts';
import { compose, type Said } from './saying.ts';

/** To whom, and what. */
export interface Addressed extends Said {
  recipient: string;
  recipientFullname: string;
}

const isBotOf = async (id_project: string, _id: string): Promise<boolean> =>
  isId(_id) && (await countOf(Bot, { id_project, _id, trashed: false })) > 0;

/** Somebody of the project: a bot of it, a member by its user or visitor id, a lead. */
const isKnown = async (id_project: string, id: string): Promise<boolean> => {
  if (isBot(id)) return isBotOf(id_project, id.slice(BOT.length));
  const active = { id_project, status: 'active' as const, trashed: false };
  const who = isId(id) ? { id_user: id } : { uuid_user: id };
  return (
    (await countOf(ProjectUser, { ...active, ...who })) > 0 || (await countOf(Lead, { id_project, lead_id: id })) > 0
  );
};

const OF_CONVERSATIONS = ['templateProcessor', 'microlanguage'];

/** Write to somebody of the project; 422 for a recipient that is nobody of it, and for what goes in conversations only. */
export const write = async (
  id_project: string,
  { recipientFullname, ...said }: Addressed,
  by: Speaker,
): Promise<StoredMessage> => {
  const { recipient, language = '', text } = said;
  const option = OF_CONVERSATIONS.find((name) => said.attributes?.[name]);
  if (option) throw invalidField(`attributes.${option}`, 'In messages of conversations only');
  if (!wire.keepsStrangers && !(await isKnown(id_project, recipient)))
    throw invalidField('recipient', `${recipient} is nobody of the project`);
  spendBytes(id_project, Buffer.byteLength(JSON.stringify(said)));
  const [_id, createdBy] = [newId(), said.sender ?? by.id];
  const worded = text?.includes('${') ? (await fillerOf(id_project, language))(text) : text;
  const message = compose(
    { where: { id_project, request_id: recipient }, said: { ...said, text: worded }, by },
    { _id, createdBy },
  );
  const direct = { ...message, recipientFullname, channel_type: 'direct' };
  await makeOnce(() => Message.create([direct], emits('message.create')));
  return read(id_project, _id);
};

/** Say something in a conversation that is there; 422 for another recipient. */
export const sayIn = async (
  id_project: string,
  { recipient, ...said }: Addressed,
  by: Speaker,
): Promise<StoredMessage> => {
  const where = { id_project, request_id: recipient };
  if (!(await lookUp(where))) throw invalidField('recipient', 'No conversation of this project');
  return (await post(where, said, by)).message;
};
