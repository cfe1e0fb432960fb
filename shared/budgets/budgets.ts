/**
 * Counts what projects have spent of their budgets in each period, across all processes. Periods begin at multiples of
 * their length since the epoch, so a daily period begins at midnight UTC.
 */
import { batchCalls } from '../concurrency/batch-calls.ts';
import { Budget } from '../models/budget.ts';
import { currentTimeMs } from '../time/clock.ts';

/** A budget: the project, the name of what is spent, and the length of the period in seconds. */
export interface ProjectBudget {
  id_project: string;
  name: string;
  seconds: number;
}

const periodStart = (seconds: number, nowMs: number): number => nowMs - (nowMs % (seconds * 1000));

/** An amount to add to the record of a budget. */
interface Spending {
  key: { id_project: string; name: string; period: Date };
  expiresAt: Date;
  /** The number of the hour within the period, for a budget that also has a sum for each hour. */
  hour?: number;
  amount: number;
}

/** The sums of a budget: for the period, and for the hour in which the amount was spent. */
interface Sums {
  spent: number;
  ofHour: number;
}

const newSpending = ({ id_project, name, seconds }: ProjectBudget, amount: number, now: number): Spending => {
  const start = periodStart(seconds, now);
  return { key: { id_project, name, period: new Date(start) }, expiresAt: new Date(start + seconds * 1000), amount };
};

const updateOf = ({ expiresAt, hour, amount }: Spending) => ({
  $inc: { spent: amount, ...(hour !== undefined && { [`hours.${hour}`]: amount }) },
  $setOnInsert: { expiresAt },
});

const SUM_FIELDS = { spent: 1, hours: 1 } as const;

const sumsOf = ({ hour, amount }: Spending, stored?: { spent: number; hours?: unknown } | null): Sums => {
  const hours = (stored?.hours ?? {}) as Record<number, number>;
  return { spent: stored?.spent ?? amount, ofHour: (hour === undefined ? undefined : hours[hour]) ?? amount };
};

const spendOne = async (spending: Spending): Promise<Sums> => {
  const options = { upsert: true, returnDocument: 'after', projection: SUM_FIELDS } as const;
  return sumsOf(spending, await Budget.findOneAndUpdate(spending.key, updateOf(spending), options).lean());
};

/**
 * Adds an amount to the sum that the project has spent in the current period, and returns the new sum. A negative
 * amount is a refund.
 */
export const spend = async (budget: ProjectBudget, amount: number): Promise<number> =>
  (await spendOne(newSpending(budget, amount, currentTimeMs()))).spent;

const nameOf = ({ id_project, name, period }: Spending['key']): string => `${id_project} ${name} ${period.getTime()}`;

/**
 * Adds several amounts with two commands. Between the two commands, other processes may add to the same budgets; a
 * returned sum then includes what they have added.
 */
const spendTogether = batchCalls(async (spendings: Spending[]): Promise<Sums[]> => {
  const [first] = spendings;
  if (first && spendings.length === 1) return [await spendOne(first)];
  const updates = spendings.map((each) => ({ updateOne: { filter: each.key, update: updateOf(each), upsert: true } }));
  await Budget.bulkWrite(updates, { ordered: false });
  const keys = spendings.map(({ key }) => key);
  const filter = {
    id_project: { $in: keys.map(({ id_project }) => id_project) },
    name: { $in: keys.map(({ name }) => name) },
    period: { $in: keys.map(({ period }) => period) },
  };
  const found = await Budget.find(filter, { id_project: 1, name: 1, period: 1, ...SUM_FIELDS }).lean();
  const stored = new Map(found.map((record) => [nameOf(record), record]));
  const sums: Sums[] = [];
  // A stored sum includes the amounts of later items in the batch, which are subtracted here.
  const later = new Map<string, number>();
  const subtractLater = (sum: number, name: string, amount: number): number => {
    const added = later.get(name) ?? 0;
    later.set(name, added + amount);
    return sum - added;
  };
  for (const spending of spendings.toReversed()) {
    const { key, hour, amount } = spending;
    const name = nameOf(key);
    const { spent, ofHour } = sumsOf(spending, stored.get(name));
    sums.push({
      spent: subtractLater(spent, name, amount),
      ofHour: hour === undefined ? ofHour : subtractLater(ofHour, `${name} hour ${hour}`, amount),
    });
  }
  return sums.toReversed();
});

/**
 * Like `spend`, but joins the commands of calls that are made within 10 ms. If other processes spend from the same
 * budget at the same time, the returned sum may be too large: a caller that compares it with a limit may refuse work
 * too early, but never too late.
 */
export const spendInBatch = async (budget: ProjectBudget, amount: number): Promise<number> =>
  (await spendTogether(newSpending(budget, amount, currentTimeMs()))).spent;

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** The amounts that a project has spent in the current hour and on the current day. */
export interface HourAndDay {
  hour: number;
  day: number;
}

/** Like `spendInBatch`, for a daily budget that also has a sum for each hour. Returns both sums. */
export const spendByHour = async (id_project: string, name: string, amount: number): Promise<HourAndDay> => {
  const now = currentTimeMs();
  const hour = Math.floor((now - periodStart(DAY_SECONDS, now)) / (HOUR_SECONDS * 1000));
  const spending = { ...newSpending({ id_project, name, seconds: DAY_SECONDS }, amount, now), hour };
  const { spent: day, ofHour } = await spendTogether(spending);
  return { hour: ofHour, day };
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
