/** Monthly billing periods of a project. Each begins on the day of the month on which the project was created. */

import { z } from 'zod';
import { view } from '../../wire/view.ts';

/** A period from `start` (inclusive) to `end` (exclusive), which is the start of the next period. */
export interface BillingPeriod {
  start: Date;
  end: Date;
}

/**
 * Returns the start, in UTC, of the period that begins `months` months after the first one. In a month without the day
 * of creation, the period starts on the month's last day.
 */
const periodStart = (created: Date, months: number): Date => {
  const [year, month] = [created.getUTCFullYear(), created.getUTCMonth() + months];
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(created.getUTCDate(), days)));
};

/** Returns the billing period that contains `now`. */
export const billingPeriodAt = (now: Date, created: Date): BillingPeriod => {
  const months = 12 * (now.getUTCFullYear() - created.getUTCFullYear()) + now.getUTCMonth() - created.getUTCMonth();
  const elapsedMonths = periodStart(created, months) <= now ? months : months - 1;
  return { start: periodStart(created, elapsedMonths), end: periodStart(created, elapsedMonths + 1) };
};

const DAY_MS = 86_400_000;
const Day = z.string().meta({ description: 'DD/MM/YYYY, UTC' });

/** A billing period on the wire. */
export const BillingPeriodView = view('BillingPeriod', {
  startDate: Day,
  endDate: Day.meta({ description: 'The last day, DD/MM/YYYY, UTC' }),
});

const formatDay = (date: Date): string => date.toISOString().slice(0, 10).split('-').toReversed().join('/');

/** Returns a billing period as it is on the wire. */
export const formatBillingPeriod = ({ start, end }: BillingPeriod): z.output<typeof BillingPeriodView> => ({
  startDate: formatDay(start),
  endDate: formatDay(new Date(end.getTime() - DAY_MS)),
});
