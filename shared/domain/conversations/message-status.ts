/** How far a message has come: it moves forward only, whoever tells of it in which order (contract b 4). */
import { emits } from '../../emits.ts';
import { MESSAGE, Message } from '../../models/message.ts';

type Status = (typeof MESSAGE)[keyof typeof MESSAGE];

/** The message has come so far; one that has come further already stays there. */
export const advance = async (which: { id_project: string; _id: string }, status: Status): Promise<void> => {
  const told = status >= MESSAGE.received ? emits('message.update', 'message.received') : emits('message.update');
  await Message.updateOne({ ...which, status: { $lt: status } }, { $set: { status } }, told);
};
