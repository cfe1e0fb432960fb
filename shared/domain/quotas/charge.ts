/** Charges what a call adds to the quotas of its project, and refunds it if the call stores nothing. */
import { isDuplicateKey } from '../../database/unique-keys.ts';
import type { emits } from '../../events.ts';
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import type { BillingPeriod } from './billing-period.ts';
import { type ProjectPlan, periodOf } from './plan.ts';
import { addLimited, subtract } from './usage.ts';

const EVENTS = {
  requests: 'request.create.quote',
  messages: 'message.create.quote',
  email: 'email.send.quote',
} as const;

/** The types of quotas that calls are charged to before they store a record. */
type ChargedType = keyof typeof EVENTS;
type Amounts = Partial<Record<ChargedType, number>>;

const entriesOf = (amounts: Amounts) => Object.entries(amounts) as [ChargedType, number][];

/** Returns the event of a record that was charged to a quota; none if the plan does not limit this type. */
export const quotaEvents = ({ project, limits }: ProjectPlan, type: ChargedType): Parameters<typeof emits> =>
  limits[type] === undefined ? [] : [[EVENTS[type], { project }]];

/** What one call has charged. */
export interface QuotaCharge {
  /**
   * Charges amounts with one command, or with none if the plan limits none of them. A type that the call has charged
   * already, for example in an earlier attempt, is not charged again. Throws 403 with `plan_limit` if a limit is
   * reached.
   */
  add(plan: ProjectPlan, amounts: Amounts): Promise<void>;
  /** Refunds amounts; by default, everything that the call has charged. */
  refund(amounts?: Amounts): Promise<void>;
}

interface Charged {
  plan: ProjectPlan;
  period: BillingPeriod;
  amount: number;
}

const createCharge = (): QuotaCharge => {
  const charged = new Map<ChargedType, Charged>();
  return {
    add: async (plan, requested) => {
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

/** Whether an error shows that the call has stored nothing. After any other error, its writes may be committed. */
const isRejected = (error: unknown): boolean => error instanceof AppError || isDuplicateKey(error);

/**
 * Runs a call that charges quotas, and refunds its charges if it is rejected. After an unexpected error, and if the
 * process is killed during the call, the charges stay, so that a limit is never exceeded.
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
