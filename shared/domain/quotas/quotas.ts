/**
 * Quotas of projects: reads the usage of all types, and checks the limits of the types that `charge.ts` does not
 * charge. Usage of a type without a limit is only counted.
 */
import type { ClientSession } from 'mongoose';
import { AppError } from '../../errors.ts';
import { QuotaUsage } from '../../models/quota-usage.ts';
import {
  type AlwaysCountedType,
  limitsOf,
  periodOf,
  type ProjectPlan,
  QUOTA_TYPES,
  type QuotaType,
  readPlan,
} from './plan.ts';
import { addUncapped, readUsage, usedOf } from './usage.ts';

const readUsed = async (plan: ProjectPlan, type: QuotaType): Promise<number> => {
  const period = periodOf(plan);
  return usedOf(plan, type, { period, usage: await readUsage(plan, period) });
};

/** Returns what the project has used of each type in the billing period that contains `at`, and that period. */
export const readQuotas = async (id_project: string, at?: Date) => {
  const plan = await readPlan(id_project);
  const period = periodOf(plan, at);
  const usage = await readUsage(plan, period);
  const used = await Promise.all(
    QUOTA_TYPES.map(async (type) => [type, { quote: await usedOf(plan, type, { period, usage }) }] as const),
  );
  return { quotes: Object.fromEntries(used) as Record<QuotaType, { quote: number }>, period };
};

/** Returns the limit of a type if it is reached; undefined if the project may use more. */
const reachedLimit = async (id_project: string, type: QuotaType): Promise<number | undefined> => {
  const plan = await readPlan(id_project);
  const limit = plan.limits[type];
  return limit !== undefined && (await readUsed(plan, type)) >= limit ? limit : undefined;
};

/** Whether the project may use more of this type. Always true without a limit. */
export const hasQuotaLeft = async (id_project: string, type: QuotaType): Promise<boolean> =>
  (await reachedLimit(id_project, type)) === undefined;

/** Adds to the usage in the current billing period. Returns the new sum, and the counter's name on the wire. */
export const addUsage = async (id_project: string, type: AlwaysCountedType, amount: number) => {
  const { used, period } = await addUncapped(await readPlan(id_project), type, amount);
  const month = period.start.toISOString().slice(0, 7);
  return { key: `quotes:${type}:${id_project}:${month}`, currentQuote: used };
};

const planLimitError = (text: string, plan_limit: number) =>
  new AppError(403, 'PLAN_LIMIT', text).with({ body: { plan_limit } });

const limitReachedError = (limit: number) =>
  planLimitError('Maximum number of resources reached for the current plan', limit);

/** Throws 403 if adding this number of contents would exceed the plan's limit on contents (`kbs`). */
export const assertContentsLeft = async (id_project: string, added: number): Promise<void> => {
  const plan = await readPlan(id_project);
  const limit = plan.limits.kbs;
  if (limit === undefined) return;
  const used = await readUsed(plan, 'kbs');
  if (used >= limit) throw limitReachedError(limit);
  if (used + added > limit) throw planLimitError('Cannot exceed the number of resources in the current plan', limit);
};

/** Throws 403 if the project's plan does not allow another knowledge base. */
export const assertNamespacesLeft = async (id_project: string): Promise<void> => {
  const limit = await reachedLimit(id_project, 'namespace');
  if (limit !== undefined) throw limitReachedError(limit);
};

/** Throws 403 if the project has used up the tokens of its plan. Deployed clients rely on the fields of the error. */
export const assertTokenQuota = async (id_project: string): Promise<void> => {
  const limit = await reachedLimit(id_project, 'tokens');
  if (limit === undefined) return;
  throw new AppError(403, 'TOKENS_QUOTA', 'Tokens quota exceeded').with({
    body: { message: 'Tokens quota exceeded', error_code: 13_001, plan_limit: limit },
  });
};

/** The types that are counted from their records while the plan does not limit them. */
const RECORD_COUNTERS = ['requests', 'messages', 'email'] as const;

/**
 * Deletes, when a plan changes, the counters of the types that the old or the new plan does not limit, because such a
 * counter lacks what was used while there was no limit. The next charge of a type with a limit creates a new counter.
 */
export const deleteStaleCounters = async (
  { project, limits }: ProjectPlan,
  newProfile: Record<string, unknown>,
  session: ClientSession,
): Promise<void> => {
  const newLimits = limitsOf(newProfile);
  const stale = RECORD_COUNTERS.filter((type) => limits[type] === undefined || newLimits[type] === undefined);
  if (!stale.length) return;
  const $unset = Object.fromEntries(stale.map((type) => [`used.${type}`, 1 as const]));
  await QuotaUsage.updateMany({ id_project: project._id }, { $unset }, { session });
};
