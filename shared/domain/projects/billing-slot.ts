/** The months by which a project's use is counted: they begin on the day of the month on which it was made. */

/** A slot's first moment, and that of the next one. */
export interface Slot {
  start: Date;
  end: Date;
}

/** The start of the project's day so many months after its first one, in UTC; the last day of a month that lacks it. */
const monthOf = (created: Date, months: number): Date => {
  const [year, month] = [created.getUTCFullYear(), created.getUTCMonth() + months];
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(created.getUTCDate(), days)));
};

/** The slot in which a moment lies. */
export const slotAt = (now: Date, created: Date): Slot => {
  const months = 12 * (now.getUTCFullYear() - created.getUTCFullYear()) + now.getUTCMonth() - created.getUTCMonth();
  const begun = monthOf(created, months) <= now ? months : months - 1;
  return { start: monthOf(created, begun), end: monthOf(created, begun + 1) };
};
