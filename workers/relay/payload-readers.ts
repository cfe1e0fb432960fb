/** Reads records as event payloads, in batches. A view is a schema of the fields that a payload contains. */
import mongoose, { type Types } from 'mongoose';
import type { z } from 'zod';
import * as conversations from '#shared/domain/conversations/conversation.ts';
import * as messages from '#shared/domain/conversations/messages/messages.ts';
import * as departments from '#shared/domain/departments/departments.ts';
import * as customEvents from '#shared/domain/events/custom-events.ts';
import * as mails from '#shared/domain/mails/mail-events.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import * as projects from '#shared/domain/projects/projects.ts';
import * as members from '#shared/domain/team/membership-views.ts';
import { ConversationView } from '#shared/models/conversation.ts';
import { CustomEventPayloadView } from '#shared/models/custom-event.ts';
import { DepartmentView } from '#shared/models/department.ts';
import { KbNamespaceView } from '#shared/models/kb-namespace.ts';
import { MailEventView } from '#shared/models/mail.ts';
import { MessageEventView } from '#shared/models/message.ts';
import { ProjectEventView } from '#shared/models/project.ts';
import { DeletedTeammateView, TeammateEventView } from '#shared/models/project-user.ts';
import { projectionOf } from '#shared/wire/view.ts';

/** The `_id` of a record. */
export type RecordKey = Types.ObjectId | string;

/** A record in the team's view. If it belongs to a visitor's conversation, also the visitor and the visitor's view. */
export interface ReadRecord {
  key: RecordKey;
  view: object;
  visitor?: string;
  visitorView?: object;
}

/** Returns the records that exist, in any order. */
export type PayloadReader = (keys: RecordKey[]) => Promise<ReadRecord[]>;

/** Readers of views that are not plain projections of stored fields. */
const readers = new Map<z.ZodObject, PayloadReader>([
  [ProjectEventView, projects.readForEvents],
  [TeammateEventView, members.readForEvents],
  [DeletedTeammateView, members.readTrashedForEvents],
  [DepartmentView, departments.readForEvents],
  [KbNamespaceView, namespaces.readForEvents],
  [ConversationView, conversations.readForEvents],
  [CustomEventPayloadView, customEvents.readForEvents],
  [MessageEventView, messages.readForEvents],
  [MailEventView, mails.readForEvents],
]);

const plainReader =
  (collection: string, view: z.ZodObject): PayloadReader =>
  async (keys) => {
    const fields = { ...projectionOf(view), _id: 1 } as const;
    const options = { anyProject: true }; // the relay reads records of all projects by id
    const records = await mongoose
      .model(collection)
      .find({ _id: { $in: keys } }, fields, options)
      .lean<{ _id: RecordKey }[]>();
    return records.map(({ _id: key, ...rest }) => ({ key, view: '_id' in view.shape ? { _id: key, ...rest } : rest }));
  };

/** Returns the reader of a collection's records in a view. */
export const payloadReader = (collection: string, view: z.ZodObject): PayloadReader =>
  readers.get(view) ?? plainReader(collection, view);
