/**
 * Informs the owners and admins of a project by email that its usage of a quota has reached a checkpoint, such as 75%.
 */
import { hash } from 'node:crypto';
import { emits } from '../../events.ts';
import type { CountedType } from '../../models/quota-usage.ts';
import * as mails from '../mails/mail-queue.ts';
import { type PlanRecord, planOf, periodOf } from '../quotas/plan.ts';
import { adminRecipients, findSenderProject } from './recipients.ts';

/** The payload of the event `quote.checkpoint`; in stored names, a quota is a `quote`. */
export interface ReachedCheckpoint {
  project: PlanRecord;
  type: CountedType;
  checkpoint: number;
  limit: number;
  usage: { period: string };
}

/** Derives the id of an email from the checkpoint and the recipient, so that no recipient gets the email twice. */
const mailId = ({ project, type, checkpoint, usage }: ReachedCheckpoint, recipient: string): string => {
  const parts = ['checkpoint', project._id, usage.period, type, checkpoint, recipient];
  return hash('sha256', parts.join(' ')).slice(0, 24);
};

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Enqueues the emails about a checkpoint. They count neither against the email quota nor against the mail budgets. */
export const notifyCheckpoint = async (reached: ReachedCheckpoint): Promise<void> => {
  const { project, type, checkpoint, limit, usage } = reached;
  const id_project = project._id;
  const sender = await findSenderProject(id_project);
  if (!sender) return;
  const { start, end } = periodOf(planOf(id_project, project), new Date(usage.period));
  const values = { project: sender.name, type, checkpoint, limit, start: dayOf(start), end: dayOf(end) };
  const events = emits(['email.send.quote.checkpoint', { project }]);
  for (const { id, email: to } of await adminRecipients(id_project)) {
    const fields = { _id: mailId(reached, id), id_project, record: id_project, ...events };
    await mails.queueMail({ template: 'checkpointReachedEmail', to, values }, fields);
  }
};
