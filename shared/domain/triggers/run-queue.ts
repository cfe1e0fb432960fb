/**
 * The queue of trigger runs. One job per project performs the actions of the project's runs, so that projects take
 * turns.
 */
import { config } from '../../config.ts';
import { isUnavailable } from '../../database/unavailable.ts';
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { TriggerRun } from '../../models/trigger-run.ts';
import { enqueue } from '../../queue/queue.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { errorText, retryDelayMs } from '../events/dead-letters.ts';

/** Time between the end of an action and the start of the next action of the same run. */
const ACTION_INTERVAL_MS = 500;
/** If a worker is killed, its action is repeated this long after the worker took it. */
const LEASE_MS = Math.min(30_000, config.LEASE_SECONDS * 1000);
const MAX_ATTEMPTS = 5;

/** A run whose next action a worker has taken. */
export interface DueRun {
  _id: string;
  id_project: string;
  trigger: string;
  event_id: string;
  event: string;
  record: string;
  position: string;
  conversation: string;
  depth: number;
  next: number;
  attemptsMade: number;
  createdAt: Date;
}

/** Enqueues the job that performs the due actions of each project. */
export const wakeProjects = async (projects: string[], delayMs = 0): Promise<void> => {
  for (const id_project of new Set(projects)) await enqueue('triggers.run', { id_project }, delayMs);
};

/** Takes the project's run that has been due longest; null if none is due. */
export const takeRun = (id_project: string): Promise<DueRun | null> => {
  const now = currentTimeMs();
  const lease = { $set: { dueAt: new Date(now + LEASE_MS) }, $inc: { attemptsMade: 1 } };
  return TriggerRun.findOneAndUpdate({ id_project, dueAt: { $lte: new Date(now) } }, lease, {
    sort: { dueAt: 1 },
    returnDocument: 'after',
  })
    .lean<DueRun>()
    .exec();
};

/** Returns a filter that matches a run only if no other worker has performed its action in the meantime. */
const atAction = ({ id_project, _id, next }: DueRun) => ({ id_project, _id, next });

/** Ends a run that has no further action, or whose trigger was deleted or disabled. */
export const finishRun = async (run: DueRun): Promise<void> => {
  await TriggerRun.updateOne(atAction(run), { $unset: { dueAt: 1 } });
};

/**
 * Records that an action was performed or, with `failure`, why it was not. Schedules the next action, if there is one.
 */
export const completeAction = async (run: DueRun, actionCount: number, failure?: string): Promise<void> => {
  const isLast = run.next + 1 >= actionCount;
  await TriggerRun.updateOne(atAction(run), {
    $set: {
      next: run.next + 1,
      attemptsMade: 0,
      ...(!isLast && { dueAt: new Date(currentTimeMs() + ACTION_INTERVAL_MS) }),
    },
    ...(isLast && { $unset: { dueAt: 1 } }),
    ...(failure !== undefined && { $push: { failures: { action: run.next, message: failure } } }),
  });
};

/** Whether an attempt may succeed later. While MongoDB or Redis is unavailable, attempts are not limited. */
const isRetried = ({ attemptsMade }: DueRun, error: unknown): boolean =>
  isUnavailable(error) || (!(error instanceof AppError) && attemptsMade < MAX_ATTEMPTS);

/**
 * Records a failed attempt at an action, which is tried again later. After the last attempt, or after an `AppError`,
 * which a retry cannot fix, the run continues with the next action.
 */
export const failAction = async (run: DueRun, actionCount: number, error: unknown): Promise<void> => {
  if (isRetried(run, error)) {
    const dueAt = new Date(currentTimeMs() + retryDelayMs(run.attemptsMade));
    await TriggerRun.updateOne(atAction(run), { $set: { dueAt } });
    return;
  }
  const { id_project: project, trigger, next: action } = run;
  logger.warn({ project, trigger, action, err: error }, 'trigger action failed');
  await completeAction(run, actionCount, errorText(error));
};

/** Returns the milliseconds until the next action of a project is due; null if none is due before the next sweep. */
export const msUntilNextAction = async (id_project: string): Promise<number | null> => {
  const open = { id_project, dueAt: { $exists: true } };
  const next = await TriggerRun.findOne(open, { dueAt: 1 }).sort({ dueAt: 1 }).lean();
  if (!next?.dueAt) return null;
  const ms = Math.max(0, next.dueAt.getTime() - currentTimeMs());
  return ms > config.SWEEP_INTERVAL_SECONDS * 1000 ? null : ms;
};

/** Returns the ids of the projects with overdue actions, whose wake-up was lost or whose worker died. */
export const findOverdueProjects = async (): Promise<string[]> => {
  const overdue = { dueAt: { $lte: currentTime() } };
  const found: unknown[] = await TriggerRun.distinct('id_project', overdue).setOptions({ anyProject: true });
  return found.map(String);
};
