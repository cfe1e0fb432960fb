/** What follows when a lead changes (contract b 5.6): its conversations show it as it is, and the last one says so. */
import { emits } from '../../emits.ts';
import { Lead, LeadView } from '../../models/lead.ts';
import { Message } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { makeOnce } from '../../mongo.ts';
import { readMany } from '../../read.ts';
import { wordsOfRequest } from '../../search/request-texts.ts';
import { fieldsOf } from '../../view.ts';
import { FIELDS, type StoredRequest } from './requests.ts';
import { saidBySystem } from './system-messages.ts';

interface Changed {
  id_project: string;
  /** The lead's `_id`. */
  lead: string;
}

const read = ({ id_project, lead }: Changed) => Lead.findOne({ _id: lead, id_project }, fieldsOf(LeadView)).lean();

const TEXTS = { _id: 1, __v: 1, subject: 1, first_text: 1, rating_message: 1, tags: 1, notes: 1 } as const;
const TOGETHER = 500;

/** Copy the lead into its conversations; never over a later state of it, however late or often this is done. */
export const copy = async (changed: Changed): Promise<void> => {
  const lead = await read(changed);
  if (!lead) return;
  const older = { ...changed, 'snapshot.lead.__v': { $not: { $gte: lead.__v } } };
  for (;;) {
    const requests = await readMany(Request, older, { fields: TEXTS, limit: TOGETHER });
    if (!requests.length) return;
    const writes = requests.map(({ _id, __v, ...texts }) => {
      const words = wordsOfRequest({ ...texts, snapshot: { lead } });
      // One that was changed since is read again.
      return { updateOne: { filter: { ...older, _id, __v }, update: { $set: { 'snapshot.lead': lead, words } } } };
    });
    await Request.bulkWrite(writes as never, { ...emits('request.update'), ordered: false });
  }
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
