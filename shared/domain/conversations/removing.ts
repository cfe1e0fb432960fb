/** The end of a conversation's record (contract b 1.18). */
import type { ClientSession } from 'mongoose';
import { emits } from '../../emits.ts';
import { Message } from '../../models/message.ts';
import { MessageRemoval } from '../../models/message-removal.ts';
import { Outbox } from '../../models/outbox.ts';
import { Request } from '../../models/request.ts';
import { inTransaction } from '../../mongo.ts';
import { enqueue } from '../../queue.ts';
import { readMany } from '../../read.ts';
import { isId } from '../../view.ts';
import { removedBy } from './message-removals.ts';
import { saidIn } from './messages.ts';
import { type Conversation, FIELDS, type StoredRequest, showOne, unknown } from './requests.ts';
import { release } from '../routing/claims.ts';
import { tally } from './tallies.ts';

/** Messages that one transaction deletes: half as many as the last batch of a large removal. */
const MOST_AT_ONCE = 1000;

type Which = { id_project: string } & ({ request_id: string } | { _id: string });

/** Remove the record that matches and tell of it as it was; teammates are free of it. */
const erase = async (which: Which, session: ClientSession) => {
  const request = await Request.findOneAndDelete(which, { session, projection: FIELDS }).lean<StoredRequest>();
  if (!request) throw unknown({ request_id: 'request_id' in which ? which.request_id : which._id });
  await release(request, request.participantsAgents, session);
  await tally(request, null, session);
  const shown = await showOne(request);
  const deleted = { id_project: which.id_project, record: String(request._id), shown };
  await Outbox.create([deleted], { session, ...emits('request.delete') });
  return shown;
};

/** The last moment of a conversation that is removed now: teammates may have imported messages of a later time. */
const endOf = async (where: Conversation, session: ClientSession): Promise<Date> => {
  const sort = { createdAt: -1 } as const;
  const newest = await Message.findOne(saidIn(where), { createdAt: 1 }, { session, sort }).lean();
  return new Date(Math.max(Date.now(), newest?.createdAt.getTime() ?? 0));
};

/** Delete the messages of a conversation, or, where they are many, hide them; the id of what is left to do. */
const deleteOrHide = async (where: Conversation, session: ClientSession): Promise<string | undefined> => {
  const count = await Message.countDocuments(saidIn(where), { session, limit: MOST_AT_ONCE + 1 });
  if (count <= MOST_AT_ONCE) {
    await Message.deleteMany(saidIn(where), { session });
    return undefined;
  }
  const { id_project, request_id } = where;
  const [removal] = await MessageRemoval.create([{ id_project, request_id, upTo: await endOf(where, session) }], {
    session,
  });
  return String(removal?._id);
};

/** Remove a conversation with all that was said in it; 404 for an unknown one. Many messages are hidden at once, and deleted by a job. */
export const remove = async (where: Conversation) => {
  const { removed, removal } = await inTransaction(async (session) => ({
    removed: await erase(where, session),
    removal: await deleteOrHide(where, session),
  }));
  if (removal) await enqueue('bulk.remove-messages', { id_project: where.id_project, removal });
  return removed;
};

/** The messages of a removal go in batches; the last batch, which is larger than any short page, goes with the removal itself. */
export const removeMessages = async (id_project: string, _id: string): Promise<void> => {
  const removal = await MessageRemoval.findOne({ id_project, _id }).lean();
  if (!removal) return;
  const removed = { id_project, ...removedBy(removal) };
  for (;;) {
    const sort = { createdAt: 1, _id: 1 } as const;
    const some = await readMany(Message, removed, { fields: { _id: 1 }, sort, limit: 2 * MOST_AT_ONCE + 1 });
    if (some.length <= 2 * MOST_AT_ONCE) break;
    const batch = some.slice(0, MOST_AT_ONCE).map(({ _id }) => _id);
    await Message.deleteMany({ id_project, _id: { $in: batch } });
  }
  await inTransaction(async (session) => {
    await Message.deleteMany(removed, { session });
    await MessageRemoval.deleteOne({ id_project, _id }, { session });
  });
};

/** The removals that are not done. */
export const removalsLeft = async (): Promise<{ id_project: string; removal: string }[]> => {
  const left = await MessageRemoval.find(
    { upTo: { $lte: new Date() } },
    { id_project: 1 },
    { anyProject: true },
  ).lean();
  return left.map(({ id_project, _id }) => ({ id_project, removal: String(_id) }));
};

/** Remove a conversation by its own `_id`; what was said in it stays. 404 for an unknown one. */
export const removeRecord = async (id_project: string, _id: string): Promise<void> => {
  if (!isId(_id)) throw unknown({ request_id: _id });
  await inTransaction((session) => erase({ id_project, _id }, session));
};
