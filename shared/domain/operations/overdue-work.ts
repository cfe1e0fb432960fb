/**
 * Work that is recorded in MongoDB and is due, but that no worker is doing: none has taken it, or the lease of the one
 * that took it has expired. Webhook deliveries also count while a worker makes them: it leases their receiver, and they
 * stay due until their results are recorded. A job in Redis only wakes a worker up, so the counts from MongoDB show
 * whether work gets done, even if Redis has lost jobs. Each read uses an index.
 */
import type { Model } from 'mongoose';
import { BotCall } from '../../models/bot-call.ts';
import { CONTENT_STATUS, KbContent } from '../../models/kb-content.ts';
import { Mail } from '../../models/mail.ts';
import { TriggerRun } from '../../models/trigger-run.ts';
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { RUNNING_STATUSES } from '../knowledge/indexing/attempt-leases.ts';

const SECOND_MS = 1000;
const MAX_COUNTED = 10_000;

type WorkModel = Model<Record<string, unknown>>;

interface WorkKind {
  /** The kind of work, in the plural. */
  name: string;
  /** The queue whose workers do the work. */
  queue: string;
  model: WorkModel;
  /** The fields with a time from which a worker may take the work, and the filters for the records they apply to. */
  due: { field: string; filter?: object }[];
}

/**
 * Most kinds have one such field. A worker that takes the work moves this time to the end of its lease, except that a
 * delivery stays due until its result is recorded.
 */
const DUE_AT = [{ field: 'dueAt' }];

const WORK_KINDS: WorkKind[] = [
  {
    name: 'contents',
    queue: 'kb',
    model: KbContent as unknown as WorkModel,
    due: [
      { field: 'nextAttemptAt', filter: { status: CONTENT_STATUS.queued } },
      { field: 'leaseUntil', filter: { status: RUNNING_STATUSES } },
    ],
  },
  { name: 'deliveries', queue: 'webhooks', model: WebhookDelivery as unknown as WorkModel, due: DUE_AT },
  { name: 'mails', queue: 'mail', model: Mail as unknown as WorkModel, due: DUE_AT },
  { name: 'bot_calls', queue: 'bots', model: BotCall as unknown as WorkModel, due: DUE_AT },
  { name: 'trigger_runs', queue: 'triggers', model: TriggerRun as unknown as WorkModel, due: DUE_AT },
];

/** The overdue work of one kind. */
export interface OverdueWork {
  name: string;
  queue: string;
  /** The number of overdue records; at most 10,000 are counted. */
  count: number;
  /** How long the oldest work has been due; 0 if none is due. */
  oldestAgeSeconds: number;
}

const readDue = async (model: WorkModel, { field, filter }: WorkKind['due'][number]) => {
  const due = { ...filter, [field]: { $lte: currentTime() } };
  const options = { anyProject: true };
  const [count, oldest] = await Promise.all([
    model.countDocuments(due, { ...options, limit: MAX_COUNTED }),
    model
      .findOne(due, { [field]: 1, _id: 0 }, options)
      .sort({ [field]: 1 })
      .lean<Record<string, Date> | null>(),
  ]);
  const dueAt = oldest?.[field];
  return { count, ageSeconds: dueAt ? (currentTimeMs() - dueAt.getTime()) / SECOND_MS : 0 };
};

const overdueOf = async ({ name, queue, model, due }: WorkKind): Promise<OverdueWork> => {
  const found = await Promise.all(due.map((each) => readDue(model, each)));
  const count = found.reduce((sum, each) => sum + each.count, 0);
  const oldestAgeSeconds = Math.max(...found.map(({ ageSeconds }) => ageSeconds));
  return { name, queue, count: Math.min(count, MAX_COUNTED), oldestAgeSeconds };
};

/** Reads the overdue work of all kinds. */
export const readOverdueWork = (): Promise<OverdueWork[]> => Promise.all(WORK_KINDS.map(overdueOf));
