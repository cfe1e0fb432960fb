/** What follows when a lead changes (contract b 5.6): its conversations show it as it is, and the last one says so. */
import { emits } from '../../emits.ts';
import { Lead as Leads, LeadView } from '../../models/lead.ts';
import { Message } from '../../models/message.ts';
import { REQUEST, Request } from '../../models/request.ts';
import { makeOnce } from '../../mongo.ts';
import { readMany, readOne } from '../../read.ts';
import { wordsOfRequest } from '../../search/request-texts.ts';
import { fieldsOf, isId } from '../../view.ts';
import { FIELDS, type StoredRequest } from './requests.ts';
import { saidBySystem } from './system-messages.ts';

interface Changed {
  id_project: string;
  /** The lead's `_id`. */
  lead: string;
}

const read = ({ id_project, lead }: Changed) => Leads.findOne({ _id: lead, id_project }, fieldsOf(LeadView)).lean();

type Lead = NonNullable<Awaited<ReturnType<typeof read>>>;

const TEXTS = { _id: 1, __v: 1, subject: 1, first_text: 1, rating_message: 1, tags: 1, notes: 1 } as const;
const SHOWN = { ...TEXTS, 'snapshot.lead.lead_id': 1 } as const;
const TOGETHER = 500;

/** Show a lead in conversations until none is left; whose visitor they are stays, for one lead may go by several ids. */
const showIn = async (
  which: Record<string, unknown> & { id_project: string },
  lead: Lead,
  signal?: AbortSignal,
): Promise<void> => {
  for (;;) {
    signal?.throwIfAborted();
    const requests = await readMany(Request, which, { fields: SHOWN, limit: TOGETHER });
    if (!requests.length) return;
    const writes = requests.map(({ _id, __v, ...texts }) => {
      const { snapshot } = texts as { snapshot?: { lead?: { lead_id?: string } } };
      const own = { ...lead, lead_id: snapshot?.lead?.lead_id ?? lead.lead_id };
      const words = wordsOfRequest({ ...texts, snapshot: { lead } });
      const set = { lead: String(lead._id), 'snapshot.lead': own, words };
      // One that was changed since is read again.
      return { updateOne: { filter: { ...which, _id, __v }, update: { $set: set } } };
    });
    await Request.bulkWrite(writes, { ...emits('request.update'), ordered: false });
  }
};

/** Conversations into which a changed lead is copied: those that are open, and what was closed last. */
const MOST_OPEN = 500;
const MOST_CLOSED = 100;

const latest = async (changed: Changed, status: object, limit: number): Promise<unknown[]> => {
  const page = { fields: { _id: 1 }, sort: { createdAt: -1 }, limit } as const;
  return (await readMany(Request, { ...changed, status }, page)).map(({ _id }) => _id);
};

/** Copy the lead into its latest conversations; never over a later state of it, however late or often this is done. */
export const copy = async (changed: Changed, signal?: AbortSignal): Promise<void> => {
  const lead = await read(changed);
  if (!lead) return;
  const open = await latest(changed, { $lt: REQUEST.closed }, MOST_OPEN);
  const closed = await latest(changed, { $gte: REQUEST.closed }, MOST_CLOSED);
  const earlier = { ...changed, 'snapshot.lead.__v': { $not: { $gte: lead.__v } } };
  await showIn({ ...earlier, _id: { $in: [...open, ...closed] } }, lead, signal);
};

/** Conversations of a lead that was merged into another one become that one's. */
export const moveOver = async ({ id_project, lead }: Changed, signal?: AbortSignal): Promise<void> => {
  const merged = await read({ id_project, lead });
  const kept = merged?.merged_into && (await read({ id_project, lead: merged.merged_into }));
  if (kept) await showIn({ id_project, lead }, kept, signal);
};

/** A conversation that was opened while its lead was merged follows the others. */
export const followLead = async (
  { id_project, request }: { id_project: string; request: string },
  signal?: AbortSignal,
): Promise<void> => {
  const opened = isId(request) ? await readOne(Request, { id_project, _id: request }, { lead: 1 }) : null;
  if (opened?.lead) await moveOver({ id_project, lead: opened.lead }, signal);
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
