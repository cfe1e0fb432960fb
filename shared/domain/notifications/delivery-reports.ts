/**
 * Reports to a project that its SMTP server is failing, or that emails to an address are rejected or returned. The
 * reports that mail servers send by email are read in `shared/parsing/mail/delivery-report.ts`.
 */
import { newId } from '../../context.ts';
import { Activity } from '../../models/activity.ts';
import { SYSTEM_ACTOR } from '../activities/activity-draft.ts';
import { block } from '../mails/blocked-addresses.ts';
import { queueMail } from '../mails/mail-queue.ts';
import { claimReport } from '../mails/server-reports.ts';
import { adminRecipients, findSenderProject } from './recipients.ts';

/** An activity (an entry in the project's activity log) about emails, with the system as its actor. */
interface MailActivity {
  verb: 'PROJECT_SMTP_FAILED' | 'EMAIL_ADDRESS_BLOCKED';
  target: { type: string; id: string; object: object };
  actionObj: object;
}

const recordActivity = async (id_project: string, activity: MailActivity): Promise<void> => {
  await Activity.create([{ _id: newId(), id_project, actor: SYSTEM_ACTOR, ...activity, involvedUserIds: [] }]);
};

/**
 * Reports to the owners and admins, at most once a day, that their SMTP server is failing. The report is an activity,
 * and an email that is sent through the SMTP server of the instance.
 */
export const reportServerFailure = async (id_project: string): Promise<void> => {
  const report = await claimReport(id_project);
  const project = report && (await findSenderProject(id_project));
  if (!report || !project) return;
  const { name } = project;
  const target = { type: 'project', id: id_project, object: { _id: id_project, name } };
  const { error, failures } = report;
  await recordActivity(id_project, { verb: 'PROJECT_SMTP_FAILED', target, actionObj: { error, failures } });
  const values = { project: name, error, since: report.failingSince.toISOString() };
  for (const { email } of await adminRecipients(id_project))
    await queueMail({ template: 'ownServerFailed', to: email, values });
};

/** Blocks an address because an email to it was rejected or returned, and records an activity. */
export const blockAddress = async (
  id_project: string,
  blocked: { address: string; reason: string; mail: string },
): Promise<void> => {
  if (!(await block(id_project, blocked))) return;
  const { address, reason } = blocked;
  const target = { type: 'email', id: address, object: { name: address } };
  await recordActivity(id_project, { verb: 'EMAIL_ADDRESS_BLOCKED', target, actionObj: { reason } });
};
