/** Conversations as rows of a table (contract b 1.4). */
import type { StoredRequest } from '#shared/domain/conversations/requests.ts';

const OWN = [
  ...(['_id', 'request_id', 'ticket_id', 'requester', 'first_text', 'subject', 'preflight', 'hasBot'] as const),
  ...(['participants', 'participantsAgents', 'participantsBots', 'priority', 'followers'] as const),
  ...(['assigned_at', 'first_response_at', 'waiting_time', 'closed_at', 'closed_by', 'duration'] as const),
  ...(['rating', 'rating_message', 'sourcePage', 'language', 'userAgent', 'smartAssignment'] as const),
  ...(['workingStatus', 'id_project', 'createdBy', 'createdAt', 'updatedAt'] as const),
];
const ADDED = ['channel_name', 'department_name', 'lead_fullname', 'lead_email', 'tags'] as const;
const PHONE = ['caller_phone', 'called_phone', 'call_id'] as const;

/** The columns, in their order; those of calls by phone are empty where nobody called. */
export const COLUMNS = [...OWN, ...ADDED, ...PHONE];

/** What is read for a row. */
export const FIELDS = {
  ...(Object.fromEntries(OWN.map((name) => [name, 1])) as Record<(typeof OWN)[number], 1>),
  ...({ channel: 1, tags: 1, snapshot: 1, attributes: 1 } as const),
};

interface Snapshot {
  lead?: { fullname?: string; email?: string };
  department?: { name?: string };
}

/** One of them as a row. */
export const rowOf = (request: StoredRequest) => {
  const { lead, department } = request.snapshot as Snapshot;
  const { caller_phone, called_phone, call_id } = request.attributes ?? {};
  return {
    ...request,
    channel_name: request.channel.name,
    department_name: department?.name,
    lead_fullname: lead?.fullname,
    lead_email: lead?.email,
    tags: request.tags.map(({ tag }) => tag),
    ...{ caller_phone, called_phone, call_id },
  };
};
