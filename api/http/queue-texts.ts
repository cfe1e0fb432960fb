/** How the queue board shows queues, jobs and errors, so that an administrator understands them without the code. */
import { explainFailure } from '#shared/domain/operations/explain-failure.ts';
import { titleOf } from '#shared/domain/operations/job-titles.ts';

/** What each queue does. */
const QUEUE_SUMMARIES: Record<string, string> = {
  kb: 'Indexes the contents of knowledge bases, in one slot per project.',
  bulk: 'Does long work: indexing in additional slots, embedding, clustering of questions, imports of leads, deletion of contents, messages and projects, rebuilds of the index.',
  events: 'Runs the listeners, which react to events such as a new message.',
  bots: 'Calls external bots, and replies for internal ones.',
  webhooks: 'Delivers events to the URLs of subscriptions.',
  triggers: 'Performs the actions of triggers.',
  files: 'Makes thumbnails of uploaded images.',
  mail: 'Sends emails through the SMTP server of the instance.',
  'project-mails': 'Sends emails through the SMTP servers of projects.',
  maintenance: 'Runs the sweeps, which find unfinished work and clean up records, and assigns waiting conversations.',
};
const WAKE_UPS =
  'A job only wakes a worker up: the work is recorded in MongoDB, and a sweep enqueues it again if the job is lost.';

/** Returns the description of a queue. */
export const describeQueue = (name: string): string => [QUEUE_SUMMARIES[name], WAKE_UPS].filter(Boolean).join(' ');

/** Returns the name of a job in words, followed by its name in the code, which logs and metrics use. */
export const describeJob = (name: string): string => `${titleOf(name)} (${name})`;

const FIELD_LABELS: Record<string, string> = {
  id_project: 'project',
  conversation: 'conversation (request_id)',
  receiver: 'receiver (host and port)',
  namespace: 'knowledge base',
  import: 'import of leads',
  slot: 'indexing slot',
};

const labelled = (payload: object): object =>
  Object.fromEntries(Object.entries(payload).map(([name, value]) => [FIELD_LABELS[name] ?? name, value]));

/** Returns the data of a job, with its fields named in the words of the README's glossary. */
export const describeData = (data: { payload?: object; correlationId?: string } = {}): object => ({
  ...labelled(data.payload ?? {}),
  ...(data.correlationId ? { 'caused by the call with X-Request-Id': data.correlationId } : {}),
});

/** A job whose error the board shows. */
interface BoardJob {
  failedReason?: string;
}

/** Appends an explanation and advice to the error of a failed job. */
export const explainJob = <J extends BoardJob | undefined | null>(job: J): J => {
  if (job?.failedReason) job.failedReason = `${job.failedReason}\n→ ${explainFailure(job.failedReason)}.`;
  return job;
};
