/** Converts the query of a conversation list to a MongoDB filter. */
import { CONVERSATION_STATUS } from '#shared/models/conversation.ts';
import { omitUndefined } from '#shared/wire/omit-fields.ts';
import { toDateRange } from './date-range.ts';
import type { ParsedConversationsQuery } from './query-input.ts';

const OFFLINE_CHANNELS = { $in: ['email', 'form'] };
const MINUTE_MS = 60_000;
const OPEN_STATUSES = Object.values(CONVERSATION_STATUS).filter((status) => status < CONVERSATION_STATUS.closed);

/** Matches statuses with an `$in` list, never with a range: with a list, the index also provides the sort order. */
const statusCondition = ({ status }: ParsedConversationsQuery) => ({
  $in: status === 'all' ? Object.values(CONVERSATION_STATUS) : (status ?? OPEN_STATUSES),
});

const channelCondition = ({ channel }: ParsedConversationsQuery) => {
  if (channel === 'offline') return OFFLINE_CHANNELS;
  return channel === 'online' ? { $not: OFFLINE_CHANNELS } : channel;
};

const workingStatusCondition = (query: ParsedConversationsQuery) => {
  const { 'workingStatus[ne]': ne, 'workingStatus[in]': included, 'workingStatus[nin]': nin } = query;
  const splitList = (text: string) => text.split(',');
  if (nin) return { $nin: splitList(nin) };
  if (included) return { $in: splitList(included) };
  return ne === undefined ? undefined : { $ne: ne };
};

const durationCondition = ({ duration, duration_op }: ParsedConversationsQuery) => {
  if (duration === undefined || !duration_op) return undefined;
  return { [duration_op === 'gt' ? '$gte' : '$lte']: duration * MINUTE_MS };
};

/** Matches phone numbers that contain the digits of `phone` one after the other, with any separators between them. */
const phoneCondition = (phone?: string) => {
  const digits = phone?.replace(/\D/g, '');
  return digits ? { $regex: digits.split('').join('\\D*') } : undefined;
};

const departmentConditions = (query: ParsedConversationsQuery) => ({
  department: query.dept_id,
  'snapshot.department.routing': query.snap_department_routing,
  'snapshot.department.default': query.snap_department_default,
  'snapshot.department.id_bot':
    query.snap_department_id_bot ??
    (query.snap_department_id_bot_exists === undefined ? undefined : { $exists: query.snap_department_id_bot_exists }),
});

const leadConditions = (query: ParsedConversationsQuery) => ({
  lead: query.lead,
  'snapshot.lead.email': query.requester_email ?? query.snap_lead_email,
  'snapshot.lead.lead_id': query.snap_lead_lead_id,
  'contact.phone': phoneCondition(query.phone),
  'attributes.caller_phone': query.caller,
  'attributes.called_phone': query.called,
  'attributes.call_id': query.call_id,
});

const conversationConditions = (query: ParsedConversationsQuery) => ({
  participants: query.participant,
  hasBot: query.hasbot,
  'tags.tag': query.tags,
  ticket_id: query.ticket_id,
  smartAssignment: query.smartAssignment,
  'channel.name': channelCondition(query),
  priority: query.priority,
  workingStatus: workingStatusCondition(query),
  duration: durationCondition(query),
  'attributes.fully_abandoned': query.abandoned || undefined,
  rating: query.rated ? { $exists: true } : undefined,
  draft: query.draft === false ? { $ne: true } : undefined,
});

const LOCATION_FIELDS = ['country', 'region', 'city', 'streetAddress', 'zipcode', 'ipAddress'];

const locationCondition = (name: string) => ({ $or: LOCATION_FIELDS.map((part) => ({ [`location.${part}`]: name })) });

const dateCondition = (query: ParsedConversationsQuery, zone: string) => {
  const range = toDateRange(query, zone);
  return range ? { [query.filterRangeField ?? 'createdAt']: range } : {};
};

/** Returns the filter of a list. `zone` is the time zone of the dates in the query. */
export const conversationsFilter = (id_project: string, query: ParsedConversationsQuery, zone: string) => ({
  id_project,
  preflight: { $in: query.preflight ? [true, false] : [false] },
  status: statusCondition(query),
  ...omitUndefined({ ...conversationConditions(query), ...departmentConditions(query), ...leadConditions(query) }),
  ...dateCondition(query, zone),
  ...(query.location && { $and: [locationCondition(query.location)] }),
});
