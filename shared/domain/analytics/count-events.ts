/** Adds to the rollups the records that events concern. */
import { Types } from 'mongoose';
import { readMany } from '../../database/raw-read.ts';
import { AnalyticsContribution } from '../../models/analytics-contribution.ts';
import { Message } from '../../models/message.ts';
import { CUSTOM_EVENT_PREFIX } from '../events/custom-event-names.ts';
import type { OrderedEvent } from '../events/listeners.ts';
import { clearRecount, type ConversationRef, updateContributions } from './contributions.ts';
import type { Subject } from './series.ts';

/** Number of records per transaction. */
const BATCH_SIZE = 200;
/**
 * Events after which all messages of a conversation are compared with their contributions, because imported
 * messages, and messages deleted with their conversation, emit no events of their own.
 */
const MESSAGE_EVENTS = ['message.import', 'request.delete'];

const subjectOf = (event: string): Subject => {
  if (event === 'request.tag.update') return 'tags';
  if (event.startsWith(CUSTOM_EVENT_PREFIX)) return 'events';
  if (event.startsWith('project_user.') || event.startsWith('projectuser.')) return 'project_users';
  return event === 'message.create' ? 'messages' : 'requests';
};

const countAll = async (
  subject: Subject,
  records: { id_project: string; id: string }[],
): Promise<ConversationRef[]> => {
  const unique = [...new Map(records.map((record) => [record.id, record])).values()];
  const recount: ConversationRef[] = [];
  for (let start = 0; start < unique.length; start += BATCH_SIZE) {
    const batch = unique.slice(start, start + BATCH_SIZE);
    const projects = [...new Set(batch.map(({ id_project }) => id_project))];
    const result = await updateContributions(subject, { projects, ids: batch.map(({ id }) => id) });
    recount.push(...result.recount);
  }
  return recount;
};

/** Returns the ids of a conversation's messages, including deleted ones that are still counted. */
const messageIds = async ({ id_project, conversation }: ConversationRef): Promise<string[]> => {
  const counted = { id_project, conversation, subject: 'messages' };
  const [stored, contributions] = await Promise.all([
    readMany(Message, { id_project, recipient: conversation }, { fields: { _id: 1 } }),
    AnalyticsContribution.find(counted, { _id: 1 }).lean(),
  ]);
  return [...new Set([...stored, ...contributions].map(({ _id }) => String(_id)))];
};

/** Compares all messages of a conversation with their contributions, and corrects the rollups. */
export const recountMessages = async (ref: ConversationRef): Promise<void> => {
  const ids = await messageIds(ref);
  await countAll(
    'messages',
    ids.map((id) => ({ id_project: ref.id_project, id })),
  );
  await clearRecount(ref);
};

const conversationOf = ({ id_project, orderingKey }: OrderedEvent): ConversationRef => ({
  id_project,
  conversation: orderingKey.slice(id_project.length + 1),
});

const byConversation = (refs: ConversationRef[]): ConversationRef[] => [
  ...new Map(refs.map((ref) => [`${ref.id_project} ${ref.conversation}`, ref])).values(),
];

/**
 * Counts the current state of the records that a batch of events concerns, so that events that arrive late or twice do
 * no harm. Each transaction changes the rollups together with the contributions, so a batch that a killed worker
 * leaves unfinished can be repeated.
 */
export const countRecordsOfEvents = async (events: OrderedEvent[]): Promise<void> => {
  const recount = events.filter(({ event }) => MESSAGE_EVENTS.includes(event)).map(conversationOf);
  // A tag event also concerns its conversation. The `request.update` of the same change counts the conversation.
  const bySubject = Map.groupBy(events, ({ event }) => subjectOf(event));
  for (const [subject, own] of bySubject) {
    const records = own.map(({ id_project, record, id }) => ({ id_project, id: subject === 'tags' ? id : record }));
    const wanted = subject === 'tags' ? records : records.filter(({ id }) => Types.ObjectId.isValid(id));
    recount.push(...(await countAll(subject, wanted)));
  }
  for (const ref of byConversation(recount)) await recountMessages(ref);
};
