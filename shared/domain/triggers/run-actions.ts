/** Performs the actions of trigger runs, one after the other. */
import { withCaller, withIdempotentIds } from '../../context.ts';
import { performAction, TRIGGER_ACTOR } from './actions.ts';
import { readActions } from './active-triggers.ts';
import { completeAction, failAction, finishRun, takeRun } from './run-queue.ts';

/**
 * Performs the next due action of a project. Returns false if none was due. Every attempt at an action creates records
 * with the same ids, so that an action that is repeated because its worker was killed sends no second message.
 */
export const runNextAction = async (id_project: string): Promise<boolean> => {
  const run = await takeRun(id_project);
  if (!run) return false;
  const actions = (await readActions(id_project, run.trigger)) ?? [];
  const action = actions[run.next];
  if (!action) {
    await finishRun(run);
    return true;
  }
  const perform = () => performAction(action, run);
  try {
    await withCaller({ ...TRIGGER_ACTOR, depth: run.depth }, () =>
      withIdempotentIds(`trigger ${run._id} ${run.next}`, perform),
    );
  } catch (error) {
    await failAction(run, actions.length, error);
    return true;
  }
  await completeAction(run, actions.length);
  return true;
};
