/** Replays dead letters: those of listeners, and those of abandoned bot calls. */
import { AppError, notFound } from '../../errors.ts';
import { DeadLetter } from '../../models/dead-letter.ts';
import { enqueue } from '../../queue/queue.ts';
import { BOT_CALL_CONSUMER, replayCalls } from '../conversations/bots/bot-call-queue.ts';
import { newDeferral, storeDeferrals } from '../events/deferred-events.ts';
import { findEvent, listeners } from '../events/listeners.ts';

const notReplayable = (reason: string) => new AppError(409, 'NOT_REPLAYABLE', reason);

/** Adds the event to those that the listener retries. */
const deferAgain = async (name: string, { id_project, id }: { id_project: string; id: string }): Promise<void> => {
  const listener = listeners.find((each) => each.name === name);
  if (!listener) throw notReplayable(`${name} cannot process single events again; only listeners can`);
  const event = await findEvent(id_project, id);
  if (!event) throw notReplayable('The event is no longer in the changes log; see CHANGES_TTL_SECONDS');
  await storeDeferrals(listener, [newDeferral(event)]);
  await enqueue('events.retry-deferred', { listener: name, id_project });
};

/**
 * Processes the event of a dead letter again, in the background, and deletes the dead letter. If the event fails again,
 * the dead letter is written again. For the dead letter of an abandoned bot call, the call is made again.
 * Errors: 404 for an unknown dead letter, 409 for a dead letter of the relay or of a listener that no longer
 * exists, or an event that is no longer in the changes log.
 */
export const replayDeadLetter = async (_id: string): Promise<void> => {
  const letter = await DeadLetter.findById(_id).lean();
  if (!letter) throw notFound('Dead letter not found');
  const { failedBy, id_project } = letter;
  if (!id_project) throw notReplayable(`${failedBy} cannot process single events again; only listeners can`);
  const id = _id.slice(failedBy.length + 1);
  const isCall = failedBy === BOT_CALL_CONSUMER && (await replayCalls(id_project, id)) > 0;
  if (!isCall) await deferAgain(failedBy, { id_project, id });
  await DeadLetter.deleteOne({ _id, updatedAt: letter.updatedAt });
};
