/**
 * Work that is recorded in MongoDB and is due, but that no worker is doing. A job in Redis only wakes a worker up, so
 * these figures show whether work gets done even if Redis has lost jobs. Each read uses an index.
 */
import type { Model } from 'mongoose';
import { BotCall } from '../../models/bot-call.ts';
import { CONTENT_STATUS, KbContent } from '../../models/kb-content.ts';
import { Mail } from '../../models/mail.ts';
import { TriggerRun } from '../../models/trigger-run.ts';
import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';

const SECOND_MS = 1000;
const MAX_COUNTED = 10_000;

type WorkModel = Model<Record<string, unknown>>;

interface WorkKind {
  /** The kind of work, in the plural. */
  name: string;
  /** The queue whose workers do the work. */
  queue: string;
  model: WorkModel;
  /** The field with the time from which a worker may take the work. */
  dueField: string;
  filter?: object;
}

const WORK_KINDS: WorkKind[] = [
  {
    name: 'contents',
    queue: 'kb',
    model: KbContent as unknown as WorkModel,
    dueField: 'nextAttemptAt',
    filter: { status: CONTENT_STATUS.queued },
  },
  { name: 'deliveries', queue: 'webhooks', model: WebhookDelivery as unknown as WorkModel, dueField: 'dueAt' },
  { name: 'mails', queue: 'mail', model: Mail as unknown as WorkModel, dueField: 'dueAt' },
  { name: 'bot_calls', queue: 'bots', model: BotCall as unknown as WorkModel, dueField: 'dueAt' },
  { name: 'trigger_runs', queue: 'triggers', model: TriggerRun as unknown as WorkModel, dueField: 'dueAt' },
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

const overdueOf = async ({ name, queue, model, dueField, filter }: WorkKind): Promise<OverdueWork> => {
  const due = { ...filter, [dueField]: { $lte: currentTime() } };
  const options = { anyProject: true };
  const [count, oldest] = await Promise.all([
    model.countDocuments(due, { ...options, limit: MAX_COUNTED }),
    model
      .findOne(due, { [dueField]: 1, _id: 0 }, options)
      .sort({ [dueField]: 1 })
      .lean<Record<string, Date> | null>(),
  ]);
  const dueAt = oldest?.[dueField];
  return { name, queue, count, oldestAgeSeconds: dueAt ? (currentTimeMs() - dueAt.getTime()) / SECOND_MS : 0 };
};

/** Reads the overdue work of all kinds. */
export const readOverdueWork = (): Promise<OverdueWork[]> => Promise.all(WORK_KINDS.map(overdueOf));
