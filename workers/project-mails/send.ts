import { config } from '#shared/config.ts';
import { leaseMailOfProject } from '#shared/domain/mails/mail-leases.ts';
import { postponeMails } from '#shared/domain/mails/mail-queue.ts';
import { readCircuit } from '#shared/domain/mails/server-circuit.ts';
import { hasOwnServer } from '#shared/domain/mails/sender-settings.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { currentTime } from '#shared/time/clock.ts';
import { attemptMail } from '../mail-sender/attempt-mail.ts';
import { shutdownSignal } from '../shutdown.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;
const CONNECTIONS = 4;

/**
 * Sends due emails of the project one after another; while the server works, several such loops run at the same time.
 * Returns whether more emails may be due. `state` is shared by the loops.
 */
const sendInTurn = async (id_project: string, isCircuitOpen: boolean, state: { isDown: boolean }): Promise<boolean> => {
  const end = performance.now() + TIME_SLICE_MS;
  while (performance.now() < end && !shutdownSignal.aborted) {
    if (state.isDown) return false;
    const leased = await leaseMailOfProject(id_project);
    if (!leased) return false;
    state.isDown = (await attemptMail(leased, { usesOwnServer: true, isCircuitOpen })).isServerDown;
  }
  return !state.isDown;
};

/**
 * Sends the due emails of a project through its own server, for one time slice. Each project has one job, in a queue
 * separate from the one for the instance's server, so that a slow or broken server delays only its own project. While
 * the server is failing, only one email at a time is attempted.
 */
const sendProjectMailsJob: Processor<'project-mails.send'> = async ({ id_project }) => {
  if (!(await hasOwnServer(id_project))) return;
  const { isCircuitOpen, retryAt } = await readCircuit(id_project);
  if (retryAt && retryAt > currentTime()) return postponeMails(id_project, retryAt);
  const state = { isDown: false };
  const connections = Array.from({ length: isCircuitOpen ? 1 : CONNECTIONS }, () =>
    sendInTurn(id_project, isCircuitOpen, state),
  );
  const isMoreDue = (await Promise.all(connections)).some(Boolean);
  if (isMoreDue && !shutdownSignal.aborted) await enqueue('project-mails.send', { id_project });
};
export default sendProjectMailsJob;
