/**
 * Charges the quotas and the daily byte budget of a project for what a call adds, refunds the charges if the call
 * stores nothing, and returns the quota events of its writes.
 */
import { addBytes, consumeBytes } from '../../budgets/project-bytes.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import type { emits } from '../../events.ts';
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { SYSTEM_SENDER } from '../../models/message.ts';
import type { BillingPeriod } from './billing-period.ts';
import { findCachedProject } from '../access/cached-project.ts';
import { type ProjectPlan, periodOf, planOf } from './plan.ts';
import { addLimited, subtract, VOICE_CHANNEL } from './usage.ts';

const EVENTS = {
  requests: 'request.create.quote',
  messages: 'message.create.quote',
  email: 'email.send.quote',
} as const;

/** The types of quotas that are charged before a record is stored. */
type ChargedType = keyof typeof EVENTS;
type Amounts = Partial<Record<ChargedType, number>>;

type Events = Parameters<typeof emits>;

const entriesOf = (amounts: Amounts) => Object.entries(amounts) as [ChargedType, number][];

/** Returns the plan of a project from the cache; null if the project has no limits (the usual case). */
export const findPlan = async (id_project: string): Promise<ProjectPlan | null> => {
  const project = await findCachedProject(id_project);
  const { quotes } = (project?.profile ?? {}) as { quotes?: unknown };
  return quotes ? planOf(id_project, project) : null;
};

/** Returns the event of a record for which a quota was charged; none if the plan sets no quota of this type. */
export const quotaEvents = (plan: ProjectPlan | null, type: ChargedType): Events =>
  plan?.limits[type] === undefined ? [] : [[EVENTS[type], { project: plan.project }]];

/** The quota charges of one call, and the bytes that it has counted toward the daily budget. */
export interface QuotaCharge {
  /**
   * Charges amounts with one command, or with none if the plan limits none of them. A type that the call has already
   * charged, for example in an earlier attempt, is not charged again. Throws 403 with `plan_limit` if a limit is
   * reached.
   */
  add(plan: ProjectPlan | null, amounts: Amounts): Promise<void>;
  /**
   * Counts bytes toward the daily budget of the project, unless the call has already counted bytes, for example in an
   * earlier attempt. Throws 429 if they would exceed the budget.
   */
  addBytes(id_project: string, bytes: number): void;
  /** Refunds amounts; by default, everything that the call has charged, including the bytes. */
  refund(amounts?: Amounts): Promise<void>;
}

interface Charged {
  plan: ProjectPlan;
  period: BillingPeriod;
  amount: number;
}

const createCharge = (): QuotaCharge => {
  const charged = new Map<ChargedType, Charged>();
  let counted: { id_project: string; bytes: number } | undefined;
  return {
    addBytes: (id_project, bytes) => {
      if (counted) return;
      consumeBytes(id_project, bytes);
      counted = { id_project, bytes };
    },
    add: async (plan, requested) => {
      if (!plan) return;
      const amounts = entriesOf(requested).flatMap(([type, amount]) => {
        const limit = plan.limits[type];
        return limit === undefined || !amount || charged.has(type) ? [] : [{ type, amount, limit }];
      });
      if (!amounts.length) return;
      const period = periodOf(plan);
      await addLimited(plan, period, amounts);
      for (const { type, amount } of amounts) charged.set(type, { plan, period, amount });
    },
    refund: async (requested) => {
      if (counted && !requested) {
        addBytes(counted.id_project, -counted.bytes);
        counted = undefined;
      }
      for (const [type, { plan, period, amount }] of [...charged]) {
        const refunded = requested ? Math.min(amount, requested[type] ?? 0) : amount;
        if (!refunded) continue;
        if (refunded === amount) charged.delete(type);
        else charged.set(type, { plan, period, amount: amount - refunded });
        await subtract(plan, period, { type, amount: refunded });
      }
    },
  };
};

/**
 * Whether an error shows that the call has stored nothing. After any other error, the writes of the call may have
 * been committed.
 */
const isRejected = (error: unknown): boolean => error instanceof AppError || isDuplicateKey(error);

/**
 * Runs a call that charges quotas, and refunds the charges if the call is rejected. After an unexpected error, and if
 * the process is killed during the call, the charges stay, so that a limit is never exceeded.
 */
export const withQuota = async <T>(run: (charge: QuotaCharge) => Promise<T>): Promise<T> => {
  const charge = createCharge();
  try {
    return await run(charge);
  } catch (error) {
    if (isRejected(error))
      await charge.refund().catch((err: unknown) => logger.warn({ err }, 'refunding a quota failed'));
    throw error;
  }
};

/** The fields that decide whether a conversation is counted. */
interface NewConversationFields {
  channel: { name: string };
  draft?: boolean;
}

/** Whether a new conversation is counted. Drafts, with which a bot is tested, and voice calls are not counted. */
const isCounted = ({ channel, draft }: NewConversationFields): boolean => !draft && !VOICE_CHANNEL.test(channel.name);

/**
 * Charges the quotas for a new conversation and its first message, if it has one, with one command. Returns the quota
 * events of both records. Throws 403 with `plan_limit` if a plan limit has been reached.
 */
export const chargeOpening = async (
  { charge, firstMessage }: { charge: QuotaCharge; firstMessage?: object },
  id_project: string,
  conversation: NewConversationFields,
): Promise<{ request: Events; message: Events }> => {
  const plan = await findPlan(id_project);
  const requests = isCounted(conversation) ? 1 : 0;
  await charge.add(plan, { requests, messages: firstMessage ? 1 : 0 });
  return {
    request: requests ? quotaEvents(plan, 'requests') : [],
    message: quotaEvents(plan, 'messages'),
  };
};

/**
 * Charges the quota for messages of an existing conversation, or for a direct message. Returns the quota event of each
 * message. System messages are not counted. Throws 403 with `plan_limit` if the plan limit has been reached.
 */
export const chargeMessages = async (
  charge: QuotaCharge,
  id_project: string,
  messages: { sender: string }[],
): Promise<Events> => {
  const counted = messages.filter(({ sender }) => sender !== SYSTEM_SENDER.sender).length;
  if (!counted) return [];
  const plan = await findPlan(id_project);
  await charge.add(plan, { messages: counted });
  return quotaEvents(plan, 'messages');
};

/**
 * Returns the quota event of a closed conversation; none if the plan limits neither conversations nor the duration of
 * voice calls.
 */
export const closingEvents = async (id_project: string): Promise<Events> => {
  const plan = await findPlan(id_project);
  const isLimited = plan?.limits.requests !== undefined || plan?.limits.voice_duration !== undefined;
  return isLimited ? [['request.close.quote', { project: plan.project }]] : [];
};
