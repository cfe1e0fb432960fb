/** Budgets of a project: so much of something per period, counted over all processes. Periods begin at whole multiples of their length (UTC). */
import { Budget } from '../../models/budget.ts';

/** A budget: what is spent, by whom, and the length of its period. */
export interface Purse {
  id_project: string;
  name: string;
  seconds: number;
}

const startOf = (seconds: number, now: number): number => now - (now % (seconds * 1000));

/** Add to what the project has spent in the current period; returns the new sum. A negative amount gives back. */
export const spend = async ({ id_project, name, seconds }: Purse, amount: number): Promise<number> => {
  const start = startOf(seconds, Date.now());
  const update = { $inc: { spent: amount }, $setOnInsert: { expires: new Date(start + seconds * 1000) } };
  const options = { upsert: true, returnDocument: 'after', projection: { spent: 1 } } as const;
  const budget = await Budget.findOneAndUpdate({ id_project, name, period: new Date(start) }, update, options).lean();
  return budget?.spent ?? amount;
};

/** Seconds until the next period of this length begins, at least 1. */
export const secondsToNext = (seconds: number, now = Date.now()): number =>
  Math.max(1, Math.ceil((startOf(seconds, now) + seconds * 1000 - now) / 1000));
