import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, Time, view } from '../wire/view.ts';

/** The types of quotas whose usage is counted per billing period. */
export const COUNTED_TYPES = ['requests', 'messages', 'email', 'tokens', 'voice_duration'] as const;
export type CountedType = (typeof COUNTED_TYPES)[number];

const numberByType = { requests: Number, messages: Number, email: Number, tokens: Number, voice_duration: Number };

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The start of the billing period. */
    period: { type: Date, required: true },
    /**
     * The usage by type. Conversations, messages and emails have a counter only while the plan limits them, because
     * without a limit they are counted from their records.
     */
    used: { type: new Schema(numberByType, { _id: false }) },
    /** The highest checkpoint that an event has announced, by type: 50, 75, 95 or 100% of the quota. */
    announced: { type: new Schema(numberByType, { _id: false }) },
    /** When the record will be deleted. */
    expiresAt: { type: Date, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, period: 1 }, { unique: true });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** What a project has used of its quotas in a billing period. */
export const QuotaUsage = collection('quota_usages', schema);

const figuresByType = Object.fromEntries(COUNTED_TYPES.map((type) => [type, z.number().optional()])) as Record<
  CountedType,
  z.ZodOptional<z.ZodNumber>
>;

/** The usage of a billing period in event payloads. */
export const QuotaUsageView = view('QuotaUsage', {
  _id: Id,
  period: Time.meta({ description: 'Start of the billing period' }),
  used: z.strictObject(figuresByType),
});
