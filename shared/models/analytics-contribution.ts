import { Schema } from 'mongoose';
import { collection } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The id of the record; for tags, the id of the event that added them. */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    subject: { type: String, required: true },
    /** For a conversation or a message: the `request_id` of the conversation. */
    conversation: String,
    /** When the record was created. */
    createdAt: { type: Date, required: true },
    /** The values of the record that the rollups include. */
    facts: { type: Schema.Types.Mixed, required: true },
    /** Whether the conversation's messages must be counted again, because its department has changed. */
    recountMessages: Boolean,
    /** When this contribution expires; absent if its record never expires. */
    expiresAt: Date,
  },
  { versionKey: false, strict: 'throw', id: false, minimize: false },
);
schema.index({ id_project: 1, subject: 1, createdAt: 1 });
schema.index(
  { id_project: 1, conversation: 1, subject: 1 },
  { partialFilterExpression: { conversation: { $exists: true } } },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/**
 * What each record last added to the rollups. When the record is changed or deleted, the rollups are corrected by the
 * difference. Thus, handling an event a second time changes nothing.
 */
export const AnalyticsContribution = collection('analytics_contributions', schema);
