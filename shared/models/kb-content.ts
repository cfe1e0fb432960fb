import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { currentTime } from '../time/clock.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

/** The statuses of a content. */
export const CONTENT_STATUS = { queued: -1, fetching: 100, indexing: 200, indexed: 300, failed: 400 } as const;

/** The failure counters of a content that has no failed attempts. */
export const NO_FAILURES = { failures: 0, outages: 0 } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    /** `url`, `text`, `faq`, … A `faq` is not an intent, although intents are also called `faq` on the wire. */
    type: { type: String, required: true },
    source: { type: String, required: true },
    name: { type: String, required: true },
    content: { type: String, default: '' },
    status: { type: Number, default: CONTENT_STATUS.queued },
    scrape_type: Number,
    scrape_options: Schema.Types.Mixed,
    /**
     * How the page is read: in a browser (`browser`) or without one (`static`). Only for a `scrape_type` that may use a
     * browser.
     */
    scrape_mode: String,
    refresh_rate: String,
    last_refresh: Date,
    /** The id of the sitemap content that added this page, and the URL of the sitemap. */
    sitemap_origin_id: String,
    sitemap_origin: String,
    /**
     * The latest refreshes that read the whole sitemap and did not find this page in it; after several in a row, the
     * page is removed. Each is identified by the attempt that published the previous refresh, so that repeated attempts
     * of one refresh count once.
     */
    missed_refreshes: { type: [String], default: undefined },
    tags: { type: [String], default: undefined },
    situated_context: Boolean,
    chunk_regex: String,
    error: Schema.Types.Mixed,
    /** Why and until when the content waits for a retry; absent for a newly queued content. */
    waiting: Schema.Types.Mixed,
    /**
     * The numbers of failed attempts since the content was last indexed, or queued by a call or a refresh. `outages`
     * counts those that failed because a part of this system was unavailable; they are not limited. `failures` counts
     * all others, which are limited.
     */
    failures: { type: Number, default: 0 },
    outages: Number,
    /** The earliest time of the next attempt; the creation time for a new content. */
    nextAttemptAt: { type: Date, default: () => currentTime() },
    /** The id of the attempt in progress, and the end of its lease. */
    attemptId: String,
    leaseUntil: Date,
    /** The last attempts that have ended, oldest first; at most KEPT_ATTEMPTS. */
    attempts: { type: [Schema.Types.Mixed], default: undefined },
    /** The id of the import that last added the content; absent if no import did. */
    import_id: String,
    /** The id of the attempt whose chunks are searched. */
    publishedAttemptId: String,
    /** The ids of all attempts that may have stored chunks. */
    attemptIds: { type: [String], default: [] },
    /** True if attempts other than the published one may have stored chunks that must be removed. */
    hasStaleChunks: Boolean,
    /** The embedding model of the chunks; an empty string if none was configured. */
    embedded_by: String,
    chunks: { type: Number, default: 0 },
    /** State of the page when it was indexed: the hash of its chunks and the cache validators of the last response. */
    hash: String,
    etag: String,
    last_modified: String,
    /** The options with which the page was read. The cache validators are sent only if the options are unchanged. */
    read_options: String,
  },
  schemaOptions,
);
schema.index({ id_project: 1, namespace: 1, type: 1, source: 1 }, { unique: true });
schema.index({ id_project: 1, namespace: 1, updatedAt: -1 });
schema.index({ id_project: 1, namespace: 1, status: 1, updatedAt: -1 });
schema.index({ id_project: 1, status: 1, nextAttemptAt: 1 });
schema.index({ status: 1, nextAttemptAt: 1 }, { partialFilterExpression: { status: { $lt: 300 } } });
schema.index({ hasStaleChunks: 1 }, { sparse: true });
schema.index({ 'error.code': 1 }, { partialFilterExpression: { status: 400 } });
schema.index(
  { id_project: 1, sitemap_origin_id: 1 },
  { partialFilterExpression: { sitemap_origin_id: { $exists: true } } },
);
schema.index({ refresh_rate: 1, last_refresh: 1 }, { sparse: true });
schema.index({ import_id: 1, id_project: 1, status: 1 }, { partialFilterExpression: { import_id: { $exists: true } } });
schema.index(
  { embedded_by: 1, id_project: 1, namespace: 1 },
  { partialFilterExpression: { publishedAttemptId: { $exists: true } } },
);

/** Contents of knowledge bases: a text, a question with its answer, a page, a file, or a sitemap that adds pages. */
export const KbContent = collection('kb_contents', schema);

/** A content on the wire. */
export const KbContentView = view('KbContent', {
  _id: Id,
  id_project: z.string(),
  namespace: z.string(),
  type: z.string(),
  source: z.string(),
  name: z.string(),
  content: z.string(),
  status: z.number().meta({ description: '-1 queued, 100 fetching, 200 indexing, 300 indexed, 400 failed' }),
  scrape_type: optionalField(z.number()),
  scrape_options: optionalField(z.record(z.string(), z.unknown())),
  scrape_mode: optionalField(z.string()).meta({
    description:
      'How a page with a `scrape_type` of 2 to 5 is read: `browser`, or `static` if no browser is configured',
  }),
  refresh_rate: optionalField(z.string()),
  last_refresh: optionalField(Time),
  sitemap_origin_id: optionalField(z.string()),
  sitemap_origin: optionalField(z.string()),
  tags: optionalField(z.array(z.string())),
  situated_context: optionalField(z.boolean()),
  chunk_regex: optionalField(z.string()),
  error: z
    .strictObject({ code: z.string(), message: z.string(), hint: z.string().optional(), attempt: z.number(), at: Time })
    .optional()
    .meta({ description: 'Why the last attempt failed' }),
  waiting: z
    .strictObject({ code: z.string(), message: z.string(), hint: z.string().optional(), next_attempt_at: Time })
    .optional()
    .meta({ description: 'Why a queued content waits, and when the next attempt is due' }),
  import_id: optionalField(
    z.string().meta({ description: 'Id of the import that last added the content; absent if no import did' }),
  ),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});

const contentsFields = {
  ...{ id_project: z.string(), namespace: z.string(), namespaceName: z.string() },
  count: z.number(),
};

/** Contents that one call added to a knowledge base. */
export const KbContentsAddedView = view('KbContentsAdded', {
  ...contentsFields,
  contentAddType: z.enum(['content', 'url_list', 'csv', 'sitemap', 'import']),
  type: z.string(),
  source: z.string().optional().meta({ description: 'The source, if the call added a single content' }),
});

/** Contents that one call removed from a knowledge base. The knowledge base itself remains. */
export const KbContentsDeletedView = view('KbContentsDeleted', {
  ...contentsFields,
  deleteMode: z.enum(['contents_only', 'sitemap']),
});
