import { z } from 'zod';
import { flag } from '#shared/lenient.ts';
import { REQUEST } from '#shared/models/request.ts';
import { isZone } from '#shared/wall-clock.ts';
import { cursor, Position, walked } from '../http/cursor.ts';
import { paged, wholeNumber } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';
import { readMoment } from './dates.ts';
import { SearchPlace } from './search.ts';

const KNOWN: number[] = Object.values(REQUEST);

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
    error: `must be all or of ${KNOWN.join(', ')}`,
  })
  .optional()
  .meta({ description: 'By commas, or `all`; default: all below 1000' });

const written = { day: 'DD/MM/YYYY', time: 'DD/MM/YYYY HH:mm:ss' } as const;

/** A day or a second of a query, as `between` reads it. */
export const moment = (as: keyof typeof written, what: string) =>
  z
    .string()
    .max(20)
    .refine((text) => text === '' || readMoment(text, as === 'time') !== null, `must be written as ${written[as]}`)
    .optional()
    .meta({ description: `${what}, ${written[as]}` });

const zone = z.string().max(LIMITS.name).refine(isZone, 'must be a time zone such as Europe/Rome').optional();
const text = (description: string) => z.string().max(LIMITS.name).optional().meta({ description });
const yesOrNo = (description: string) => flag().optional().meta({ description });

const MOMENTS = ['createdAt', 'updatedAt', 'assigned_at', 'first_response_at', 'closed_at'] as const;
const SORTS = [...MOMENTS, 'ticket_id', 'priority', 'status', 'waiting_time', 'duration'] as const;

/** Query of the list of conversations (contract b 1.3). */
export const RequestsQuery = paged(SORTS, 40, {
  ...walked,
  cursor: cursor(z.union([Position, SearchPlace])),
  limit: wholeNumber(1, 1_000_000).meta({ description: 'Default 40; above 100 it is 40' }),
  status: Statuses,
  start_date: moment('day', 'First day'),
  end_date: moment('day', 'Last day'),
  start_date_time: moment('time', 'First second, where no day is given'),
  end_date_time: moment('time', 'Last second, where no day is given'),
  timezone: zone.meta({ description: "Where the dates are read; default: the project's, else UTC" }),
  filterRangeField: z.enum(MOMENTS).optional().meta({ description: 'What lies between the dates; default createdAt' }),
  dept_id: text('Id of the department'),
  lead: text('`_id` of the lead'),
  segment: text('`_id` of a segment: those whose lead it holds'),
  participant: text('A user, or `bot_` with the id of a bot, that takes part'),
  hasbot: yesOrNo('Whether a bot takes part'),
  tags: text('A tag of this name'),
  requester_email: text('E-mail of the lead'),
  phone: text('Digits in the phone number, in this order'),
  ticket_id: wholeNumber(1, Number.MAX_SAFE_INTEGER).meta({ description: 'Number of the ticket' }),
  preflight: yesOrNo('`true`: also those in which nobody has really written yet'),
  smartAssignment: yesOrNo('Whether it is assigned automatically'),
  channel: text('`offline` (email and form), `online` (the others), or the name of one'),
  priority: text('Exact priority'),
  'workingStatus[ne]': text('Any working status but this'),
  'workingStatus[in]': text('One of these, by commas'),
  'workingStatus[nin]': text('None of these, by commas'),
  snap_department_routing: text('Routing of the department when it was routed'),
  snap_department_default: yesOrNo('Whether that department was the default one'),
  snap_department_id_bot: text('Bot of that department'),
  snap_department_id_bot_exists: yesOrNo('Whether that department had a bot'),
  snap_lead_lead_id: text('`lead_id` of the lead'),
  snap_lead_email: text('E-mail of the lead'),
  caller: text('`attributes.caller_phone`'),
  called: text('`attributes.called_phone`'),
  call_id: text('`attributes.call_id`'),
  duration: wholeNumber(0, 1_000_000_000).meta({ description: 'Minutes; with `duration_op`' }),
  duration_op: z.enum(['gt', 'lt']).optional().meta({ description: 'Longer or shorter than `duration`, inclusive' }),
  abandoned: yesOrNo('`true`: those that every operator has left'),
  rated: yesOrNo('`true`: those with a rating'),
  draft: yesOrNo('`false`: no tests of the widget'),
  no_populate: yesOrNo('`true`: lead, requester and department as ids'),
  no_count: yesOrNo('`true`: as `count=false`'),
  full_text: text(
    'Words that are all in it or in its messages, those in quotes as a phrase; the best of the latest come first',
  ),
  no_textscore: yesOrNo('`true`: no score, and the latest come first'),
  location: text('Country, region, city, street address, postal code or IP address, exactly'),
});
