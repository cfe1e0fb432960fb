import { z } from 'zod';
import { REQUEST } from '#shared/models/request.ts';
import { paged, wholeNumber } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';
import { isZone, written } from './dates.ts';

const KNOWN: number[] = Object.values(REQUEST);
const NO_FULL_TEXT = 'Not supported yet';

/** One status, several by commas, or `all`; pieces that are no numbers are dropped (contract b 1.3). */
const Statuses = z
  .string()
  .max(LIMITS.name)
  .transform((text) => {
    if (text === 'all') return 'all' as const;
    const numbers = text.split(',').filter((piece) => /^\s*\d+\s*$/.test(piece));
    return numbers.length ? numbers.map(Number) : undefined;
  })
  .refine((statuses) => !Array.isArray(statuses) || statuses.every((status) => KNOWN.includes(status)), {
    error: `One of ${KNOWN.join(', ')}`,
  })
  .optional()
  .meta({ description: 'By commas, or `all`; default: all below 1000' });

const moment = (timed: boolean) =>
  z
    .string()
    .max(20)
    .refine((text) => text === '' || written(text, timed) !== null, timed ? 'DD/MM/YYYY HH:mm:ss' : 'DD/MM/YYYY')
    .optional();

const zone = z.string().max(LIMITS.name).refine(isZone, 'A time zone such as Europe/Rome').optional();
const text = z.string().max(LIMITS.name).optional();
const flag = z.stringbool().optional();

const MOMENTS = ['createdAt', 'updatedAt', 'assigned_at', 'first_response_at', 'closed_at'] as const;
const SORTS = [...MOMENTS, 'ticket_id', 'priority', 'status', 'waiting_time', 'duration'] as const;

/** Query of the list of conversations (contract b 1.3). */
export const RequestsQuery = paged(SORTS, 40, {
  limit: wholeNumber(1, 1_000_000).meta({ description: 'Default 40; above 100 it is 40' }),
  status: Statuses,
  start_date: moment(false),
  end_date: moment(false),
  start_date_time: moment(true),
  end_date_time: moment(true),
  timezone: zone.meta({ description: "Where the dates are read; default: the project's, else UTC" }),
  filterRangeField: z.enum(MOMENTS).optional(),
  dept_id: text,
  lead: text,
  participant: text,
  hasbot: flag,
  tags: text,
  requester_email: text,
  phone: text,
  ticket_id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  preflight: flag,
  smartAssignment: flag,
  channel: text,
  priority: text,
  'workingStatus[ne]': text,
  'workingStatus[in]': text,
  'workingStatus[nin]': text,
  snap_department_routing: text,
  snap_department_default: flag,
  snap_department_id_bot: text,
  snap_department_id_bot_exists: flag,
  snap_lead_lead_id: text,
  snap_lead_email: text,
  caller: text,
  called: text,
  call_id: text,
  duration: wholeNumber(0, 1_000_000_000).meta({ description: 'Minutes; with `duration_op`' }),
  duration_op: z.enum(['gt', 'lt']).optional(),
  abandoned: flag,
  rated: flag,
  draft: flag,
  no_populate: flag,
  no_count: flag,
  full_text: z.literal('', { error: NO_FULL_TEXT }).optional(),
  location: z.literal('', { error: NO_FULL_TEXT }).optional(),
});
