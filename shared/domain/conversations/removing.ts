/** The end of a conversation's record (contract b 1.18). */
import type { ClientSession } from 'mongoose';
import { emits } from '../../emits.ts';
import { notFound } from '../../errors.ts';
import { Message } from '../../models/message.ts';
import { Outbox } from '../../models/outbox.ts';
import { Request } from '../../models/request.ts';
import { inTransaction } from '../../mongo.ts';
import { isId } from '../../view.ts';
import { saidIn } from './messages.ts';
import { type Conversation, FIELDS, type StoredRequest, showOne } from './requests.ts';
import { release } from '../routing/claims.ts';
import { tally } from './tallies.ts';

type Which = { id_project: string } & ({ request_id: string } | { _id: string });

/** Remove the record that matches and tell of it as it was; teammates are free of it. */
const erase = async (which: Which, session: ClientSession) => {
  const request = await Request.findOneAndDelete(which, { session, projection: FIELDS }).lean<StoredRequest>();
  if (!request) throw notFound('Request not found');
  await release(request, request.participantsAgents, session);
  await tally(request, null, session);
  const shown = await showOne(request);
  const deleted = { id_project: which.id_project, record: String(request._id), shown };
  await Outbox.create([deleted], { session, ...emits('request.delete') });
  return shown;
};

/** Remove a conversation with all that was said in it; 404 for an unknown one. */
export const remove = (where: Conversation) =>
  inTransaction(async (session) => {
    const removed = await erase(where, session);
    await Message.deleteMany(saidIn(where), { session });
    return removed;
  });

/** Remove a conversation by its own `_id`; what was said in it stays. 404 for an unknown one. */
export const removeRecord = async (id_project: string, _id: string): Promise<void> => {
  if (!isId(_id)) throw notFound('Request not found');
  await inTransaction((session) => erase({ id_project, _id }, session));
};
