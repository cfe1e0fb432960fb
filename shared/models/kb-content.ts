import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

/** Where a content stands (decision 23). */
export const STATUS = { queued: -1, fetching: 100, indexing: 200, indexed: 300, failed: 400 } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    type: { type: String, required: true },
    source: { type: String, required: true },
    name: { type: String, required: true },
    content: { type: String, default: '' },
    status: { type: Number, default: STATUS.queued },
    scrape_type: Number,
    scrape_options: Schema.Types.Mixed,
    refresh_rate: String,
    last_refresh: Date,
    tags: { type: [String], default: undefined },
    situated_context: Boolean,
    chunk_regex: String,
    error: Schema.Types.Mixed,
    /** Why it waits for another attempt, and until when; absent where it is just queued. */
    waiting: Schema.Types.Mixed,
    /** The number of times in a row that this content was tried in vain. */
    failures: { type: Number, default: 0 },
    /** Not taken before this moment: now for a new content, later for one that waits for a retry. */
    due: { type: Date, default: () => new Date() },
    /** The attempt that works on it, and until when nobody else may. */
    attempt: String,
    lease: Date,
    /** The attempt whose chunks are the content's knowledge. */
    current: String,
    /** Every attempt that may have left chunks. */
    attempts: { type: [String], default: [] },
    /** Attempts other than `current` may have left chunks: to be cleaned up. */
    litter: Boolean,
    /** The model whose vectors the chunks have; an empty text where there was none. */
    embedded_by: String,
    chunks: { type: Number, default: 0 },
    /** What the page was when it was indexed: hash of its chunks, validators of the last answer. */
    hash: String,
    etag: String,
    last_modified: String,
  },
  kept,
);
schema.index({ id_project: 1, namespace: 1, type: 1, source: 1 }, { unique: true });
schema.index({ id_project: 1, namespace: 1, updatedAt: -1 });
schema.index({ id_project: 1, namespace: 1, status: 1, updatedAt: -1 });
schema.index({ id_project: 1, status: 1, due: 1 });
schema.index({ status: 1, due: 1 }, { partialFilterExpression: { status: { $lt: 300 } } });
schema.index({ litter: 1 }, { sparse: true });
schema.index({ status: 1, embedded_by: 1, id_project: 1 });

/** Something a knowledge base knows from: a text, a question with its answer, a page (contract 2.14). */
export const KbContent = collection('kb_contents', schema);

/** A content on the wire. */
export const KbContentView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  namespace: z.string(),
  type: z.string(),
  source: z.string(),
  name: z.string(),
  content: z.string(),
  status: z.number().meta({ description: '-1 queued, 100 fetching, 200 indexing, 300 indexed, 400 failed' }),
  scrape_type: maybe(z.number()),
  scrape_options: maybe(z.record(z.string(), z.unknown())),
  refresh_rate: maybe(z.string()),
  last_refresh: maybe(Time),
  tags: maybe(z.array(z.string())),
  situated_context: maybe(z.boolean()),
  chunk_regex: maybe(z.string()),
  error: z
    .strictObject({ code: z.string(), message: z.string(), hint: z.string().optional(), attempt: z.number(), at: Time })
    .optional()
    .meta({ description: 'Why the last attempt failed' }),
  waiting: z
    .strictObject({ code: z.string(), message: z.string(), hint: z.string().optional(), next_attempt_at: Time })
    .optional()
    .meta({ description: 'Why a queued content waits, and when it is tried next' }),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
