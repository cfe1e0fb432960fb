/**
 * The usage of a project's quotas. One record per billing period counts tokens and seconds of voice calls, and, while
 * the plan limits them, conversations, messages and emails; one atomic command checks and increments the counters.
 * Everything else is counted from the records of the project when it is read.
 */
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { AppError } from '../../errors.ts';
import { Bot, IDENTITY_BOT_TYPE } from '../../models/bot.ts';
import { CONVERSATION_STATUS, Conversation } from '../../models/conversation.ts';
import { KbContent } from '../../models/kb-content.ts';
import { KbNamespace } from '../../models/kb-namespace.ts';
import { Mail } from '../../models/mail.ts';
import { Message, SYSTEM_SENDER } from '../../models/message.ts';
import { type CountedType, QuotaUsage } from '../../models/quota-usage.ts';
import type { BillingPeriod } from './billing-period.ts';
import { announceCheckpoints, type UsageRecord } from './checkpoints.ts';
import { type AlwaysCountedType, type ProjectPlan, periodOf, type QuotaType } from './plan.ts';

const RETENTION_MS = 400 * 86_400_000;
const ALL_STATUSES = Object.values(CONVERSATION_STATUS) as number[];

/** Matches the channels of voice calls, whose conversations are not counted. */
export const VOICE_CHANNEL = /^voice/;

/** Counts the records of a project, for the types that have no counter or have one only while the plan limits them. */
const countRecords: Record<
  Exclude<QuotaType, AlwaysCountedType>,
  (project: string, period: BillingPeriod) => Promise<number>
> = {
  requests: (id_project, { start, end }) =>
    Conversation.countDocuments({
      id_project,
      preflight: { $in: [true, false] },
      status: { $in: ALL_STATUSES },
      createdAt: { $gte: start, $lt: end },
      draft: { $ne: true },
      'channel.name': { $not: VOICE_CHANNEL },
    }),
  messages: (id_project, { start, end }) =>
    Message.countDocuments({
      id_project,
      createdAt: { $gte: start, $lt: end },
      sender: { $ne: SYSTEM_SENDER.sender },
    }),
  email: (id_project, { start, end }) =>
    Mail.countDocuments({
      id_project,
      createdAt: { $gte: start, $lt: end },
      template: 'emailDirect',
      copy: { $ne: true },
    }),
  chatbots: (id_project) =>
    Bot.countDocuments({ id_project, trashed: false, root_id: { $exists: false }, type: { $ne: IDENTITY_BOT_TYPE } }),
  kbs: (id_project) => KbContent.countDocuments({ id_project }),
  namespace: (id_project) => KbNamespace.countDocuments({ id_project }),
};

const periodKey = ({ project }: ProjectPlan, { start }: BillingPeriod) => ({ id_project: project._id, period: start });

const USAGE_FIELDS = { used: 1, announced: 1 } as const;

const expiry = ({ end }: BillingPeriod) => ({ expiresAt: new Date(end.getTime() + RETENTION_MS) });

/** Reads the record of a billing period; null if nothing was counted in it. */
export const readUsage = (plan: ProjectPlan, period: BillingPeriod): Promise<UsageRecord | null> =>
  QuotaUsage.findOne(periodKey(plan, period), USAGE_FIELDS).lean<UsageRecord>();

/** Returns how much of a quota a project has used in a billing period; `usage` is the record of the period. */
export const usedOf = async (
  { project }: ProjectPlan,
  type: QuotaType,
  { period, usage }: { period: BillingPeriod; usage: UsageRecord | null },
): Promise<number> => {
  const counted = usage?.used?.[type as CountedType];
  if (counted != null) return Math.max(0, counted);
  return type === 'tokens' || type === 'voice_duration' ? 0 : countRecords[type](project._id, period);
};

/** An amount to add to the usage of a type that has a counter only while the plan limits it. */
interface LimitedAmount {
  type: Exclude<CountedType, AlwaysCountedType>;
  amount: number;
  limit: number;
}

const fieldOf = ({ type }: { type: CountedType }): string => `used.${type}`;

/**
 * Adds the amounts in one command. Returns null, and adds nothing, if a sum would exceed its limit or if a type has no
 * counter yet.
 */
const addWithinLimits = (
  plan: ProjectPlan,
  period: BillingPeriod,
  amounts: LimitedAmount[],
): Promise<UsageRecord | null> => {
  const isLeft = amounts.map((each) => [fieldOf(each), { $lte: each.limit - each.amount }]);
  const $inc = Object.fromEntries(amounts.map((each) => [fieldOf(each), each.amount]));
  const filter = { ...periodKey(plan, period), ...Object.fromEntries(isLeft) };
  const options = { returnDocument: 'after', projection: USAGE_FIELDS } as const;
  return QuotaUsage.findOneAndUpdate(filter, { $inc }, options).lean<UsageRecord>();
};

/**
 * Creates the counter of a type, which starts at the number of existing records, unless another call has created
 * it.
 */
const startCounter = async (plan: ProjectPlan, period: BillingPeriod, type: LimitedAmount['type']): Promise<void> => {
  const field = fieldOf({ type });
  const used = await countRecords[type](plan.project._id, period);
  const withoutCounter = { ...periodKey(plan, period), [field]: { $exists: false } };
  const update = { $set: { [field]: used }, $setOnInsert: expiry(period) };
  await QuotaUsage.updateOne(withoutCounter, update, { upsert: true }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
};

const UNITS: Record<LimitedAmount['type'], string> = {
  requests: 'conversations',
  messages: 'messages',
  email: 'emails',
};

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const limitError = ({ type, limit }: LimitedAmount, { start, end }: BillingPeriod): AppError => {
  const span = `from ${dayOf(start)} until ${dayOf(end)} (UTC)`;
  const message = `${type}: the plan of the project allows ${limit} ${UNITS[type]} ${span}; wait for the next period, or have an instance administrator raise profile.quotes.${type}`;
  return new AppError(403, 'PLAN_LIMIT', 'Maximum number of resources reached for the current plan').with({
    body: { plan_limit: limit, message },
  });
};

/**
 * Adds amounts to the counters of a billing period, and announces the checkpoints (such as 75% of a limit) that are
 * reached. Throws 403 with `plan_limit`, and adds nothing, if a sum would exceed its limit.
 */
export const addLimited = async (plan: ProjectPlan, period: BillingPeriod, amounts: LimitedAmount[]): Promise<void> => {
  const types = amounts.map(({ type }) => type);
  const added = await addWithinLimits(plan, period, amounts);
  if (added) return announceCheckpoints(plan, added, types);
  const usage = await readUsage(plan, period);
  const withoutCounter = types.filter((type) => usage?.used?.[type] == null);
  for (const type of withoutCounter) await startCounter(plan, period, type);
  const full = amounts.find(({ type, amount, limit }) => (usage?.used?.[type] ?? 0) + amount > limit);
  if (!full || !usage || withoutCounter.length) return addLimited(plan, period, amounts); // the counters have changed
  await announceCheckpoints(plan, usage, types);
  throw limitError(full, period);
};

/** Subtracts an amount that was added but not used. A counter that no longer exists stays absent. */
export const subtract = async (
  plan: ProjectPlan,
  period: BillingPeriod,
  { type, amount }: Pick<LimitedAmount, 'type' | 'amount'>,
): Promise<void> => {
  const field = fieldOf({ type });
  const filter = { ...periodKey(plan, period), [field]: { $exists: true } };
  await QuotaUsage.updateOne(filter, { $inc: { [field]: -amount } });
};

/**
 * Adds to the counter of a type that is always counted. The sum may exceed a limit, because the usage has already
 * happened. Returns the sum and the billing period.
 */
export const addUncapped = async (plan: ProjectPlan, type: AlwaysCountedType, amount: number) => {
  const period = periodOf(plan);
  const update = { $inc: { [fieldOf({ type })]: amount }, $setOnInsert: expiry(period) };
  const options = { upsert: true, returnDocument: 'after', projection: USAGE_FIELDS } as const;
  const usage = await QuotaUsage.findOneAndUpdate(periodKey(plan, period), update, options).lean<UsageRecord>();
  if (usage) await announceCheckpoints(plan, usage, [type]);
  return { used: usage?.used?.[type] ?? amount, period };
};
