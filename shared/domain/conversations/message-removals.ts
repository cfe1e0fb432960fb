/** Messages that were removed with their conversation and are not deleted yet: nobody reads them. */
import { MessageRemoval } from '../../models/message-removal.ts';

/** The messages of a removal, as a filter beside that of their project. */
export const removedBy = ({ request_id, upTo }: { request_id: string; upTo: Date }) => ({
  recipient: request_id,
  channel_type: { $ne: 'direct' },
  createdAt: { $lte: upTo },
});

/** The filter without removed messages: of its conversation, or of the whole project where it names none. The same filter where there are none. */
export const withoutRemoved = async <F extends { id_project: string; recipient?: string }>(filter: F): Promise<F> => {
  const { id_project, recipient } = filter;
  const which = { id_project, ...(recipient !== undefined && { request_id: recipient }) };
  const removals = await MessageRemoval.find(which, { request_id: 1, upTo: 1 }).lean();
  return removals.length ? { ...filter, $nor: removals.map(removedBy) } : filter;
};
