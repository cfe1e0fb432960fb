import { config } from '#shared/config.ts';
import { runNextAction } from '#shared/domain/triggers/run-actions.ts';
import { wakeProjects, msUntilNextAction } from '#shared/domain/triggers/run-queue.ts';
import type { Processor } from '#shared/jobs.ts';
import { shutdownSignal } from '../shutdown.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;

/** Performs a project's due actions for one time slice. Enqueues itself again for the next action, if there is one. */
const runTriggersJob: Processor<'triggers.run'> = async ({ id_project }) => {
  const end = performance.now() + TIME_SLICE_MS;
  let isDue = true;
  while (isDue && performance.now() < end && !shutdownSignal.aborted) isDue = await runNextAction(id_project);
  const msUntilNext = await msUntilNextAction(id_project);
  if (msUntilNext !== null) await wakeProjects([id_project], msUntilNext);
};
export default runTriggersJob;
