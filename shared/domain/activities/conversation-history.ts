/**
 * The history of a conversation: every change, with its actor and the previous and current values of the changed
 * fields.
 */
import { type CurrentActor, newId, withIdempotentIds } from '../../context.ts';
import { insertMissingRecords } from '../../database/raw-write.ts';
import { countRecords, readMany } from '../../database/raw-read.ts';
import { ConversationChange, ConversationChangeView } from '../../models/conversation-change.ts';
import { projectionOf } from '../../wire/view.ts';
import type { ConversationKey } from '../conversations/conversation.ts';
import type { IdentifiedEvent, LoggedEvent } from '../events/logged-event.ts';
import { type PayloadFields, SYSTEM_ACTOR, storedActor } from './activity-draft.ts';

interface HistoryChange {
  comment: string;
  previous?: PayloadFields;
  current?: PayloadFields;
  actor?: CurrentActor;
}

const assignmentChange = ({
  assigneeId,
  assignmentType,
  source,
  previousAssigneeId,
  actor,
}: PayloadFields): HistoryChange => ({
  comment: 'ASSIGNED',
  previous: { assignee: previousAssigneeId },
  current: { assignee: assigneeId, assignmentType, source },
  actor: actor as CurrentActor,
});

const changeOf = ({ event, payload }: LoggedEvent): HistoryChange | null => {
  if (event === 'request.create') return { comment: 'CREATE' };
  if (event === 'request.updated') return payload as unknown as HistoryChange;
  return event === 'request.assigned' ? assignmentChange(payload) : null;
};

const conversationId = ({ payload }: LoggedEvent) =>
  ((payload.request ?? payload) as Partial<ConversationKey>).request_id;

const entryOf = (event: LoggedEvent) => {
  const { id_project, position, createdAt } = event;
  const request_id = conversationId(event);
  const change = changeOf(event);
  if (!change || !request_id) return null;
  const { comment, previous = {}, current = {}, actor = event.actor ?? SYSTEM_ACTOR } = change;
  const about = { comment, previous, current, actor: storedActor(actor) };
  return { _id: newId(), id_project, request_id, position, ...about, createdAt, __v: 0 };
};

const deleteHistory = async (event: LoggedEvent): Promise<void> => {
  const request_id = conversationId(event);
  if (request_id) await ConversationChange.deleteMany({ id_project: event.id_project, request_id });
};

/**
 * Records creations, updates and assignments of conversations in their histories; ignores other events. The deletion of
 * a conversation deletes its history. Idempotent.
 */
export const record = async (events: IdentifiedEvent[]): Promise<void> => {
  const deleted = events.findIndex(({ event }) => event === 'request.delete');
  const before = deleted < 0 ? events : events.slice(0, deleted);
  const entries = before.map((event) => withIdempotentIds(`history ${event._id}`, () => entryOf(event)));
  await insertMissingRecords(
    ConversationChange,
    entries.filter((entry) => entry !== null),
    {},
  );
  const deletion = events[deleted];
  if (!deletion) return;
  await deleteHistory(deletion);
  await record(events.slice(deleted + 1)); // a conversation with the same id may have been opened later
};

/** Returns a page of a conversation's changes, oldest first, and their total number. */
export const list = async (key: ConversationKey, page: { skip: number; limit: number }) => {
  const [count, history] = await Promise.all([
    countRecords(ConversationChange, { ...key }),
    readMany(
      ConversationChange,
      { ...key },
      { fields: projectionOf(ConversationChangeView), sort: { position: 1 }, ...page },
    ),
  ]);
  return { count, history };
};
