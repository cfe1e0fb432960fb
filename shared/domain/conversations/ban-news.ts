/** What a visitor is told who is kept out of a project (contract b 2.8). */
import type { ClientSession } from 'mongoose';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { Message } from '../../models/message.ts';
import { Request } from '../../models/request.ts';
import { saidToBanned } from './system-messages.ts';

/** Writes the direct message that says so, as part of the ban; in the language of the visitor's latest conversation. */
export const banNews = async (id_project: string, id: string) => {
  const own = { id_project, 'snapshot.lead.lead_id': id };
  const latest = await Request.findOne(own, { language: 1 }).sort({ createdAt: -1 }).lean();
  const message = saidToBanned({ id_project, id, language: latest?.language }, newId());
  return async (session: ClientSession): Promise<void> => {
    await Message.create([message], { session, ...emits('message.create') });
  };
};
