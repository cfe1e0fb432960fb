/** List query → filter (contract b 1.3). Pure. */
import type { z } from 'zod';
import { isTeam, type Speaker } from '#shared/domain/conversations/requests.ts';
import { REQUEST } from '#shared/models/request.ts';
import { between } from './dates.ts';
import type { RequestsQuery } from './query.ts';

type Asked = z.output<typeof RequestsQuery>;

const OFFLINE = { $in: ['email', 'form'] };
const MINUTE = 60_000;
const OPEN = Object.values(REQUEST).filter((status) => status < REQUEST.closed);

/** Owners and admins see all conversations; an agent those it could have been given, and those it takes part in. */
const visibleTo = ({ id, role }: Speaker) =>
  role === 'agent' ? { $or: [{ 'agents.id_user': id }, { participants: id }] } : {};

/** The status always stands as a list, so that the index gives the order. */
const statusesOf = ({ status }: Asked) => ({ $in: status === 'all' ? Object.values(REQUEST) : (status ?? OPEN) });

const channelOf = ({ channel }: Asked) => {
  if (channel === 'offline') return OFFLINE;
  return channel === 'online' ? { $not: OFFLINE } : channel;
};

const workingStatusOf = (query: Asked) => {
  const { 'workingStatus[ne]': ne, 'workingStatus[in]': within, 'workingStatus[nin]': nin } = query;
  const list = (text: string) => text.split(',');
  if (nin) return { $nin: list(nin) };
  if (within) return { $in: list(within) };
  return ne === undefined ? undefined : { $ne: ne };
};

const durationOf = ({ duration, duration_op }: Asked) => {
  if (duration === undefined || !duration_op) return undefined;
  return { [duration_op === 'gt' ? '$gte' : '$lte']: duration * MINUTE };
};

/** Digits in this order, whatever stands between them. */
const digitsOf = (phone?: string) => {
  const digits = phone?.replace(/\D/g, '');
  return digits ? { $regex: digits.split('').join('\\D*') } : undefined;
};

const department = (query: Asked) => ({
  department: query.dept_id,
  'snapshot.department.routing': query.snap_department_routing,
  'snapshot.department.default': query.snap_department_default,
  'snapshot.department.id_bot':
    query.snap_department_id_bot ??
    (query.snap_department_id_bot_exists === undefined ? undefined : { $exists: query.snap_department_id_bot_exists }),
});

const lead = (query: Asked) => ({
  lead: query.lead,
  'snapshot.lead.email': query.requester_email ?? query.snap_lead_email,
  'snapshot.lead.lead_id': query.snap_lead_lead_id,
  'contact.phone': digitsOf(query.phone),
  'attributes.caller_phone': query.caller,
  'attributes.called_phone': query.called,
  'attributes.call_id': query.call_id,
});

const own = (query: Asked) => ({
  participants: query.participant,
  hasBot: query.hasbot,
  'tags.tag': query.tags,
  ticket_id: query.ticket_id,
  smartAssignment: query.smartAssignment,
  'channel.name': channelOf(query),
  priority: query.priority,
  workingStatus: workingStatusOf(query),
  duration: durationOf(query),
  'attributes.fully_abandoned': query.abandoned || undefined,
  rating: query.rated ? { $exists: true } : undefined,
  draft: query.draft === false ? { $ne: true } : undefined,
});

const asked = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const PLACES = ['country', 'region', 'city', 'streetAddress', 'zipcode', 'ipAddress'];

const inPlace = (name: string) => ({ $or: PLACES.map((part) => ({ [`location.${part}`]: name })) });

const inSpan = (query: Asked, zone: string) => {
  const span = between(query, zone);
  return span ? { [query.filterRangeField ?? 'createdAt']: span } : {};
};

/** What a list asks for; `zone` is where its dates are read. */
export const requestsFilter = (id_project: string, query: Asked, zone: string) => ({
  id_project,
  preflight: { $in: query.preflight ? [true, false] : [false] },
  status: statusesOf(query),
  ...asked({ ...own(query), ...department(query), ...lead(query) }),
  ...inSpan(query, zone),
  ...(query.location && { $and: [inPlace(query.location)] }),
});

/** The part of the project's conversations that a caller may list: a visitor its own ones only (decision 57). */
export const within = (by: Speaker): object => (isTeam(by) ? visibleTo(by) : ownOf(by));

/** The conversations whose visitor somebody is. */
export const ownOf = ({ id }: Speaker) => ({ 'snapshot.lead.lead_id': id });
