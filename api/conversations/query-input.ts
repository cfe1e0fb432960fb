/** Query schema of conversation lists. */
import { z } from 'zod';
import { CONVERSATION_STATUS } from '#shared/models/conversation.ts';
import { flag } from '#shared/wire/coercion.ts';
import { CursorPosition, cursorParameter, cursorQuery } from '../http/request/cursor.ts';
import { optionalInteger, pagingQuery } from '../http/request/paging.ts';
import { TimeZoneName } from '../http/request/time-zone.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { parseDateText } from './date-range.ts';
import { SearchCursorInput } from './search.ts';

const KNOWN_STATUSES: number[] = Object.values(CONVERSATION_STATUS);

/** Schema of one status, a comma-separated list of statuses, or `all`. Items that are not numbers are ignored. */
const StatusFilter = z
  .string()
  .max(INPUT_LIMITS.name)
  .transform((text) => {
    if (text === 'all') return 'all' as const;
    const numbers = text.split(',').filter((item) => /^\s*\d+\s*$/.test(item));
    return numbers.length ? numbers.map(Number) : undefined;
  })
  .refine((statuses) => !Array.isArray(statuses) || statuses.every((status) => KNOWN_STATUSES.includes(status)), {
    error: `must be \`all\` or a comma-separated list of ${KNOWN_STATUSES.join(', ')}`,
  })
  .optional()
  .meta({ description: 'Comma-separated statuses, or `all`; default: all except 1000 (closed)' });

const DATE_FORMATS = { day: 'DD/MM/YYYY', time: 'DD/MM/YYYY HH:mm:ss' } as const;

/** Schema of a day, or of a time to the second, in the format that `toDateRange` reads. */
export const dateFilter = (precision: keyof typeof DATE_FORMATS, label: string) =>
  z
    .string()
    .max(20)
    .refine(
      (text) => text === '' || parseDateText(text, precision === 'time') !== null,
      `must have the format ${DATE_FORMATS[precision]}`,
    )
    .optional()
    .meta({ description: `${label}. Format: ${DATE_FORMATS[precision]}` });

const textFilter = (description: string) => z.string().max(INPUT_LIMITS.name).optional().meta({ description });
const flagFilter = (description: string) => flag().optional().meta({ description });

const DATE_FIELDS = ['createdAt', 'updatedAt', 'assigned_at', 'first_response_at', 'closed_at'] as const;
const SORT_FIELDS = [...DATE_FIELDS, 'ticket_id', 'priority', 'status', 'waiting_time', 'duration'] as const;

/** Default size of a page of conversations. */
export const CONVERSATIONS_PER_PAGE = 40;
/** Maximum size of a page of conversations. */
export const MAX_PER_PAGE = 100;

/** Query of the list of conversations. */
export const ConversationsQuery = pagingQuery(SORT_FIELDS, CONVERSATIONS_PER_PAGE, {
  ...cursorQuery,
  cursor: cursorParameter(z.union([CursorPosition, SearchCursorInput])),
  limit: optionalInteger(1, 1_000_000).meta({
    description: `Default ${CONVERSATIONS_PER_PAGE}; values above ${MAX_PER_PAGE} are replaced by ${CONVERSATIONS_PER_PAGE}`,
  }),
  status: StatusFilter,
  start_date: dateFilter('day', 'First day'),
  end_date: dateFilter('day', 'Last day'),
  start_date_time: dateFilter('time', 'Start of the range, to the second; ignored if a day is given'),
  end_date_time: dateFilter('time', 'End of the range (inclusive), to the second; ignored if a day is given'),
  timezone: TimeZoneName.meta({ description: 'Time zone of the dates; default: the time zone of the project, or UTC' }),
  filterRangeField: z
    .enum(DATE_FIELDS)
    .optional()
    .meta({ description: 'Field to which the dates apply; default `createdAt`' }),
  dept_id: textFilter('Id of the department'),
  lead: textFilter('`_id` of the lead'),
  segment: textFilter('`_id` of a segment that contains the lead'),
  participant: textFilter('A participant: id of a user, or `bot_` followed by the id of a bot'),
  hasbot: flagFilter('Whether a bot participates'),
  tags: textFilter('Name of a tag of the conversation'),
  requester_email: textFilter('Email address of the lead'),
  phone: textFilter('Consecutive digits that the phone number contains; separators are ignored'),
  ticket_id: optionalInteger(1, Number.MAX_SAFE_INTEGER).meta({ description: 'Ticket number' }),
  preflight: flagFilter('`true`: include conversations whose visitor has not written yet'),
  smartAssignment: flagFilter('Whether the conversation is assigned automatically'),
  channel: textFilter('`offline` (email and form), `online` (all others), or the name of a channel'),
  priority: textFilter('Exact priority'),
  'workingStatus[ne]': textFilter('Working status to exclude'),
  'workingStatus[in]': textFilter('Comma-separated working statuses to include'),
  'workingStatus[nin]': textFilter('Comma-separated working statuses to exclude'),
  snap_department_routing: textFilter('Routing of the department at the time of the assignment'),
  snap_department_default: flagFilter(
    'Whether the department was the default department at the time of the assignment',
  ),
  snap_department_id_bot: textFilter('Id of the bot of the department at the time of the assignment'),
  snap_department_id_bot_exists: flagFilter('Whether the department had a bot at the time of the assignment'),
  snap_lead_lead_id: textFilter('`lead_id` of the lead'),
  snap_lead_email: textFilter('Alias of `requester_email`'),
  caller: textFilter('Exact value of `attributes.caller_phone`'),
  called: textFilter('Exact value of `attributes.called_phone`'),
  call_id: textFilter('Exact value of `attributes.call_id`'),
  duration: optionalInteger(0, 1_000_000_000).meta({
    description: 'Duration of the conversation in minutes; ignored without `duration_op`',
  }),
  duration_op: z
    .enum(['gt', 'lt'])
    .optional()
    .meta({ description: '`gt`: conversations of at least `duration`; `lt`: of at most `duration`' }),
  abandoned: flagFilter('`true`: conversations that all agents of the department have left'),
  rated: flagFilter('`true`: conversations with a rating'),
  draft: flagFilter('`false`: exclude test conversations, in which a bot is tried out before its publication'),
  no_populate: flagFilter('`true`: return the lead, requester and department as ids'),
  no_count: flagFilter('`true`: same as `count=false`'),
  full_text: textFilter(
    'Words that must all occur in the conversation or its messages; quoted words form a phrase. ' +
      'The matches are grouped by age, newest group first; each group is sorted by relevance',
  ),
  no_textscore: flagFilter('`true`: sort by date, newest first, and return no score'),
  location: textFilter('Exact country, region, city, street address, postal code or IP address'),
});

/** A validated query of the list of conversations. */
export type ParsedConversationsQuery = z.output<typeof ConversationsQuery>;
