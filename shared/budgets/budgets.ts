/**
 * Budgets of projects: the amounts that a project has spent per period, counted over all processes. Periods begin at
 * whole multiples of their length (UTC).
 */
import { Budget } from '../models/budget.ts';
import { currentTimeMs } from '../time/clock.ts';

/** A budget: the project, the name of what is spent, and the length of the period in seconds. */
export interface ProjectBudget {
  id_project: string;
  name: string;
  seconds: number;
}

const periodStart = (seconds: number, nowMs: number): number => nowMs - (nowMs % (seconds * 1000));

/**
 * Adds an amount to the sum that the project has spent in the current period, and returns the new sum. A negative
 * amount is a refund.
 */
export const spend = async ({ id_project, name, seconds }: ProjectBudget, amount: number): Promise<number> => {
  const start = periodStart(seconds, currentTimeMs());
  const update = { $inc: { spent: amount }, $setOnInsert: { expiresAt: new Date(start + seconds * 1000) } };
  const options = { upsert: true, returnDocument: 'after', projection: { spent: 1 } } as const;
  const budget = await Budget.findOneAndUpdate({ id_project, name, period: new Date(start) }, update, options).lean();
  return budget?.spent ?? amount;
};

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** The sums that a project has spent in the current hour and on the current day. */
export interface HourAndDay {
  hour: number;
  day: number;
}

/** Like `spend`, for a budget per day that also counts hours. Returns both sums. */
export const spendByHour = async (id_project: string, name: string, amount: number): Promise<HourAndDay> => {
  const now = currentTimeMs();
  const start = periodStart(DAY_SECONDS, now);
  const hour = Math.floor((now - start) / (HOUR_SECONDS * 1000));
  const path = `hours.${hour}`;
  const update = {
    $inc: { spent: amount, [path]: amount },
    $setOnInsert: { expiresAt: new Date(start + DAY_SECONDS * 1000) },
  };
  const options = { upsert: true, returnDocument: 'after', projection: { spent: 1, hours: 1 } } as const;
  const budget = await Budget.findOneAndUpdate({ id_project, name, period: new Date(start) }, update, options).lean();
  const { [hour]: ofHour = amount } = (budget?.hours ?? {}) as Record<number, number>;
  return { hour: ofHour, day: budget?.spent ?? amount };
};

/**
 * Adds an amount to the sum of the current period, unless the sum would exceed `limit`. Returns whether the amount was
 * added.
 */
export const charge = async (budget: ProjectBudget, amount: number, limit: number): Promise<boolean> => {
  if ((await spend(budget, amount)) <= limit) return true;
  await spend(budget, -amount);
  return false;
};

/** Returns the seconds until the next period of this length begins, at least 1. */
export const secondsToNextPeriod = (seconds: number, nowMs = currentTimeMs()): number =>
  Math.max(1, Math.ceil((periodStart(seconds, nowMs) + seconds * 1000 - nowMs) / 1000));
