/** What follows when a lead changes (contract b 5.6): its conversations show it as it is, and the last one says so. */
import { emits } from '../../emits.ts';
import { Lead, LeadView } from '../../models/lead.ts';
import { Message } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { makeOnce } from '../../mongo.ts';
import { fieldsOf } from '../../view.ts';
import { FIELDS, type StoredRequest } from './requests.ts';
import { saidBySystem } from './system-messages.ts';

interface Changed {
  id_project: string;
  /** The lead's `_id`. */
  lead: string;
}

const read = ({ id_project, lead }: Changed) => Lead.findOne({ _id: lead, id_project }, fieldsOf(LeadView)).lean();

/** Copy the lead into its conversations; never over a later state of it, however late or often this is done. */
export const copy = async (changed: Changed): Promise<void> => {
  const lead = await read(changed);
  if (!lead) return;
  const older = { ...changed, 'snapshot.lead.__v': { $not: { $gte: lead.__v } } };
  await Request.updateMany(older, { $set: { 'snapshot.lead': lead } }, emits('request.update'));
};

/** Say in the lead's latest chat that its name or e-mail is another now. */
export const announce = async (changed: Changed): Promise<void> => {
  const lead = await read(changed);
  const chat = { ...changed, 'channel.name': 'chat21' };
  const latest = await Request.findOne(chat, FIELDS).sort({ createdAt: -1 }).lean<StoredRequest>();
  if (!lead || !latest) return;
  const { attributes, ...said } = saidBySystem(latest, 'LEAD_UPDATED');
  const news = { updateUserEmail: lead.email, updateUserFullname: lead.fullname };
  await makeOnce(() => Message.create([{ ...said, attributes: { ...attributes, ...news } }], emits('message.create')));
};
