/** Counts by day how many times each tag was added to a conversation. */
import { z } from 'zod';
import { type Bucket, byDay } from '#shared/domain/analytics/buckets.ts';
import { calendarDay } from '#shared/domain/analytics/calendar.ts';
import { DAY_MS } from '#shared/domain/analytics/quarter-hours.ts';
import { AppError, notFound } from '#shared/errors.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { endpoint } from '../http/endpoint.ts';
import { CSV_MEDIA_TYPE } from '../http/response/csv.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { csvFile } from './figure.ts';
import { FigureQuery, periodOf, zoneOf } from './query-input.ts';
import { sortedBuckets } from './read-figures.ts';

const CONVERSATION_TAG = 'conversation-tag';
const DEFAULT_DAYS_BEFORE_TODAY = 6;
const AMERICAN_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const ISO_DATE = /^(\d{4}-\d{2}-\d{2})/;

/** Converts `MM/DD/YYYY`, which dashboards send, or an ISO date to `YYYY-MM-DD`; null if the text is invalid. */
const toIsoDate = (text: string): string | null => {
  const [, month = '', day = '', year] = AMERICAN_DATE.exec(text) ?? [];
  const iso = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : ISO_DATE.exec(text)?.[1];
  return iso && new Date(`${iso}T00:00:00Z`).toJSON()?.startsWith(iso) ? iso : null;
};

const TagDate = z
  .string()
  .max(INPUT_LIMITS.name)
  .refine((text) => text === '' || toIsoDate(text) !== null, 'must have the format MM/DD/YYYY or YYYY-MM-DD')
  .optional();

const TagsQuery = FigureQuery.extend({
  start_date: TagDate.meta({ description: 'First day, MM/DD/YYYY or YYYY-MM-DD; default six days ago' }),
  end_date: TagDate.meta({ description: 'Last day, MM/DD/YYYY or YYYY-MM-DD; default today' }),
});
type ParsedTagsQuery = z.output<typeof TagsQuery>;

const TagSeries = z.strictObject({
  dates: z.array(z.string()).meta({ description: 'DD/MM/YYYY, oldest first; only days on which tags were added' }),
  series: z.array(z.strictObject({ name: z.string(), values: z.array(z.number()) })),
});

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

const wrongRange = () => {
  const message = 'start_date must not be after end_date';
  return new AppError(400, 'INVALID', message).with({ body: { error: message } });
};

/**
 * Returns the period that `start` and `end` select, as in the other endpoints of analytics, or else `start_date` and
 * `end_date`.
 */
const rangeOf = ({ start_date, end_date, ...query }: ParsedTagsQuery) => {
  if (query.start || query.end) return periodOf(query, DEFAULT_DAYS_BEFORE_TODAY);
  const today = currentTimeMs();
  const end = (end_date && toIsoDate(end_date)) || isoDay(today);
  const start = (start_date && toIsoDate(start_date)) || isoDay(today - DEFAULT_DAYS_BEFORE_TODAY * DAY_MS);
  if (start > end) throw wrongRange();
  return periodOf({ ...query, start, end }, null);
};

const readTags = (id_project: string, query: ParsedTagsQuery): Promise<Bucket[]> => {
  const rows = { id_project, subject: 'tags' as const, series: 'tags.tag', value: null };
  return sortedBuckets({ ...rows, range: rangeOf(query), zone: zoneOf(query) }, ['count'], byDay);
};

const dateText = (dayNumber: number): string => {
  const { day, month, year } = calendarDay(dayNumber);
  return `${String(day).padStart(2, '0')}/${String(month).padStart(2, '0')}/${year}`;
};

const toSeries = (buckets: Bucket[]): z.input<typeof TagSeries> => {
  const days = [...new Set(buckets.map(({ key }) => key))];
  const byTag = [...Map.groupBy(buckets, ({ value = '' }) => value)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return {
    dates: days.map(dateText),
    series: byTag.map(([name, own]) => {
      const counts = new Map(own.map(({ key, sums: { count = 0 } }) => [key, count]));
      return { name, values: days.map((day) => counts.get(day) ?? 0) };
    }),
  };
};

const tagRow = ({ key, value: tag, sums: { count } }: Bucket) => ({ date: dateText(key), tag, count });

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/analytics/tags/:type',
    role: 'admin',
    summary: 'Count by day how many times each tag was added to a conversation; `type` is `conversation-tag`',
    query: TagsQuery,
    reply: TagSeries,
    alternative: CSV_MEDIA_TYPE,
    errors: { 400: '`start_date` is after `end_date`' },
    handle: async ({ project, params: { type }, query }) => {
      if (type !== CONVERSATION_TAG) throw notFound(`Unknown type ${type}; the only type is ${CONVERSATION_TAG}`);
      const buckets = await readTags(project, query);
      return query.format === 'csv'
        ? csvFile(['date', 'tag', 'count'], buckets.map(tagRow), 'tags')
        : toSeries(buckets);
    },
  }),
];
