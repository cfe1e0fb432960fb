/** Schemas of the rows that the endpoints of analytics return. */
import { z } from 'zod';

const Count = z.number().meta({ description: 'Number of records' });
const year = z.number();
const month = z.number().meta({ description: '1 to 12' });
const day = z.number().meta({ description: '1 to 31' });

const counted = <Id extends z.ZodRawShape>(id: Id) => z.strictObject({ _id: z.strictObject(id), count: Count });

/** A total. The reply is an empty array if there is nothing to count. */
export const Total = z.strictObject({ totalCount: Count });

export const DayCount = counted({ year, month, day });
export const WeekCount = counted({
  year,
  month,
  week: z
    .number()
    .meta({ description: '0 to 53; weeks start on Sunday, and days before the first Sunday are in week 0' }),
});
export const MonthCount = counted({ year, month });
export const HourCount = counted({ hour: z.number().meta({ description: '0 to 23' }) });
export const WeekdayHourCount = counted({
  hour: z.number().meta({ description: '0 to 23' }),
  weekday: z.number().meta({ description: '1 (Sunday) to 7 (Saturday)' }),
});
export const BotDayCount = counted({ year, month, day, hasBot: z.boolean() });
export const StatusDayCount = counted({ year, month, day, status: z.number() });
export const NamedDayCount = counted({ year, month, day, name: z.string() });
/** Counts of records by value of the named field. The element without a value counts the records without one. */
export const ValueCount = <Name extends string>(name: Name) =>
  counted({ [name]: z.string().optional() } as { [N in Name]: z.ZodOptional<z.ZodString> });
export const StatusCount = z.strictObject({ _id: z.enum(['assigned', 'unassigned', 'archived']), count: Count });

export type MeanName = 'waiting_time_avg' | 'duration_avg' | 'satisfaction_avg';

const UNITS: Record<MeanName, string> = {
  waiting_time_avg: 'Milliseconds',
  duration_avg: 'Milliseconds',
  satisfaction_avg: 'Rating from 0 to 5',
};

const meanOf = (name: MeanName) =>
  z
    .number()
    .nullable()
    .meta({ description: `${UNITS[name]}; null if no conversation has a value` });

const withMean = <Id extends z.ZodType>(_id: Id, name: MeanName) => z.strictObject({ _id, [name]: meanOf(name) });

/** A mean over a period. The reply is an empty array if the period has no conversations. */
export const Mean = (name: MeanName) => withMean(z.string().meta({ description: 'Id of the project' }), name);
export const DayMean = (name: MeanName) => withMean(z.strictObject({ day, month, year }), name);
export const MonthMean = (name: MeanName) => withMean(z.strictObject({ month, year }), name);

const percentile = z.number().nullable().meta({ description: 'Milliseconds, with an error of at most 1%' });

const MeasuredCount = z
  .number()
  .meta({ description: 'Number of conversations whose waiting time or duration is known' });

const percentilesOf = <Id extends z.ZodType>(_id: Id) =>
  z.strictObject({ _id, count: MeasuredCount, median: percentile, p90: percentile, p99: percentile });

/** Percentiles over a period. */
export const Percentiles = percentilesOf(z.string().meta({ description: 'Id of the project' }));
export const DayPercentiles = percentilesOf(z.strictObject({ year, month, day }));

/** Figures for the conversations of a department or participant. */
export const GroupFigures = <Name extends string>(name: Name) =>
  z.strictObject({
    _id: z.strictObject({ [name]: z.string() } as { [N in Name]: z.ZodString }),
    name: z.string(),
    count: Count,
    bots: z.number().meta({ description: 'Number of conversations in which a bot participates' }),
    waiting_time_avg: meanOf('waiting_time_avg'),
    duration_avg: meanOf('duration_avg'),
    satisfaction_avg: meanOf('satisfaction_avg'),
  });
