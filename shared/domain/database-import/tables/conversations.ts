/** Imports conversations. */
import { Types } from 'mongoose';
import { z } from 'zod';
import { CONVERSATION_STATUS, Conversation } from '../../../models/conversation.ts';
import { participantFields } from '../../conversations/participants.ts';
import {
  authoredFields,
  type Fields,
  flag,
  id,
  list,
  nonEmptyText,
  number,
  object,
  optional,
  tagFields,
  text,
  time,
  withDefault,
} from '../fields.ts';
import type { ImportedDocument, ImportTable } from '../import-table.ts';
import { buildSnapshots } from '../snapshots.ts';
import { channel } from './messages.ts';
import { withTagIds } from './tag-ids.ts';

/** A status that the source declares but never sets; imported as `served`. */
const RESERVED_STATUS = 300;
const STATUSES = Object.values(CONVERSATION_STATUS);

const note = z.object({
  _id: optional(id()),
  text: text(),
  createdBy: withDefault(text(), 'system'),
  attributes: optional(object()),
  createdAt: optional(time()),
  updatedAt: optional(time()),
});

const status = z.preprocess(
  (value) => (value === RESERVED_STATUS ? CONVERSATION_STATUS.served : value),
  number().pipe(z.literal(STATUSES, `must be one of ${STATUSES.join(', ')}`)),
);

/** Adds missing ids to notes, and fills in missing timestamps from the conversation. */
const completeNotes = ({ notes, createdAt }: Fields): Fields[] =>
  (notes as Fields[]).map(({ _id, ...rest }) => ({
    ...rest,
    _id: new Types.ObjectId(_id as string | undefined),
    createdAt: rest.createdAt ?? createdAt,
    updatedAt: rest.updatedAt ?? rest.createdAt ?? createdAt,
  }));

/** Sets the lists of participating agents and bots, because the source does not always store them. */
const completeParticipants = ({ document, record }: ImportedDocument): void => {
  const derived = participantFields(record.participants as string[]);
  record.participantsAgents = derived.participantsAgents;
  record.participantsBots = derived.participantsBots;
  record.hasBot = document.hasBot ?? derived.hasBot ?? false;
};

export const conversations: ImportTable = {
  model: Conversation,
  sources: ['requests'],
  fields: z.object({
    ...authoredFields,
    request_id: nonEmptyText(),
    ticket_id: optional(number()),
    lead: optional(id()),
    requester: optional(id()),
    department: optional(id()),
    subject: optional(text()),
    first_text: withDefault(text(), ''),
    participants: list(text()),
    hasBot: optional(flag()),
    status: withDefault(status, CONVERSATION_STATUS.unserved),
    preflight: withDefault(flag(), false),
    draft: optional(flag()),
    smartAssignment: withDefault(flag(), true),
    workingStatus: optional(text()),
    priority: withDefault(text(), 'medium'),
    followers: list(text()),
    channel: channel(),
    channelOutbound: channel(),
    sourcePage: optional(text()),
    language: optional(text()),
    userAgent: optional(text()),
    location: optional(object()),
    contact: optional(object()),
    tags: list(z.object({ _id: optional(id()), ...tagFields })),
    notes: list(note),
    rating: optional(number()),
    rating_message: optional(text()),
    assigned_at: optional(time()),
    first_response_at: optional(time()),
    waiting_time: optional(number()),
    closed_at: optional(time()),
    closed_by: optional(text()),
    duration: optional(number()),
    auto_close: optional(number()),
    snapshot: withDefault(object(), {}),
    attributes: optional(object()),
  }),
  replaced: {
    participantsAgents: 'derived from the participants',
    participantsBots: 'derived from the participants',
    transcript: 'built when a conversation is read',
  },
  complete: async (batch) => {
    for (const document of batch) {
      const { record } = document;
      completeParticipants(document);
      record.tags = withTagIds(record.tags as Fields[]);
      record.notes = completeNotes(record);
    }
    await buildSnapshots(batch);
  },
};
