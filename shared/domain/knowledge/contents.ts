/**
 * Adds, reads, queues and removes the contents of knowledge bases. Adding a content only stores it and enqueues the job
 * that indexes it.
 */
import type { z } from 'zod';
import { readOne } from '../../database/raw-read.ts';
import { AppError, notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { KbContent, type KbContentsAddedView, KbContentView, NO_FAILURES } from '../../models/kb-content.ts';
import { Outbox } from '../../models/outbox.ts';
import { enqueue } from '../../queue/queue.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { remove as removeContents } from './content-removals.ts';
import { assertContentsLeft } from '../quotas/quotas.ts';
import { start as startDeletion } from './deletions.ts';
import { withDefaults } from './content-types.ts';
import * as imports from './imports.ts';
import { requeueUpdate } from './indexing/attempts.ts';
import { nameOf } from './namespaces.ts';

/** Maximum number of contents in the body or file of a call. For the pages of a sitemap, see SITEMAP_MAX_URLS. */
export const MAX_CONTENTS_PER_CALL = 10_000;

const CONTENT_FIELDS = projectionOf(KbContentView);
const WRITES_PER_BATCH = 1000;

/** The fields of a content that a caller provides. */
export interface ContentInput {
  namespace: string;
  type: string;
  source: string;
  name: string;
  content?: string;
  tags?: string[];
  scrape_type?: number;
  scrape_options?: Record<string, unknown>;
  refresh_rate?: string;
  chunk_regex?: string;
  situated_context?: boolean;
  /** For a page of a sitemap: the id of the sitemap's content, and the URL of the sitemap. */
  sitemap_origin_id?: string;
  sitemap_origin?: string;
}

const contentKey = (id_project: string, { namespace, type, source }: ContentInput) => ({
  id_project,
  namespace,
  type,
  source,
});

/**
 * The fields that queueing a content removes: the last failure, why the content waits, and the latest refreshes in
 * which the page was missing from its sitemap.
 */
const RESET_FIELDS = { error: 1, waiting: 1, missed_refreshes: 1 } as const;

/** Returns the update that queues a new or stored content. The update ends a running attempt. */
export const queueUpdate = (
  { name, content = '', tags, chunk_regex, situated_context, ...input }: ContentInput,
  import_id?: string,
) => {
  const { sitemap_origin_id, sitemap_origin } = input;
  const options = withDefaults(input.type, input);
  const optional = Object.entries({
    tags,
    chunk_regex,
    situated_context,
    ...options,
    sitemap_origin_id,
    sitemap_origin,
    import_id,
  });
  const set = Object.fromEntries(optional.filter(([, value]) => value !== undefined));
  const unset = Object.fromEntries(optional.filter(([, value]) => value === undefined).map(([key]) => [key, 1]));
  return requeueUpdate({ name, content, ...set, ...NO_FAILURES }, { ...unset, ...RESET_FIELDS });
};

type AddedContents = Omit<z.input<typeof KbContentsAddedView>, 'id_project' | 'namespace' | 'namespaceName'>;
type ContentAddType = AddedContents['contentAddType'];

/**
 * Emits `kb.contents.add`. If the process is killed before it stores this event, the client gets no response and tries
 * again.
 */
export const emitAdded = async (id_project: string, namespace: string, added: AddedContents): Promise<void> => {
  const view = { id_project, namespace, namespaceName: await nameOf(id_project, namespace), ...added };
  await Outbox.create([{ id_project, record: namespace, view }], emits('kb.contents.add'));
};

/** Enqueues the job that indexes the queued contents of a project. */
export const enqueueIndexing = (id_project: string) => enqueue('kb.index-contents', { id_project });

/**
 * Adds a content, or updates the stored content with the same namespace, type and source, and queues it. Returns a
 * result in the form of MongoDB's `findAndModify` command, with the content in `value`. Errors: 403 if the plan does
 * not allow another content.
 */
export const add = async (id_project: string, input: ContentInput) => {
  await assertContentsLeft(id_project, 1);
  const result = await KbContent.findOneAndUpdate(contentKey(id_project, input), queueUpdate(input), {
    upsert: true,
    returnDocument: 'after',
    projection: CONTENT_FIELDS,
    includeResultMetadata: true,
  }).lean();
  const { namespace, type, source } = input;
  await emitAdded(id_project, namespace, { contentAddType: 'content', count: 1, type, source });
  await enqueueIndexing(id_project);
  const { value, lastErrorObject } = result as unknown as {
    value: StoredContent;
    lastErrorObject: { updatedExisting: boolean; upserted?: unknown };
  };
  const { updatedExisting, upserted } = lastErrorObject;
  return { lastErrorObject: { n: 1, updatedExisting, ...(upserted ? { upserted: String(upserted) } : {}) }, value };
};

type StoredContent = NonNullable<Awaited<ReturnType<typeof find>>>;

/** Adds contents, or updates the stored contents with the same namespace, type and source, in bulk writes. */
const upsertContents = async (id_project: string, inputs: ContentInput[], importId?: string): Promise<void> => {
  for (let start = 0; start < inputs.length; start += WRITES_PER_BATCH) {
    const writes = inputs.slice(start, start + WRITES_PER_BATCH).map((input) => ({
      updateOne: { filter: contentKey(id_project, input), update: queueUpdate(input, importId), upsert: true },
    }));
    await KbContent.bulkWrite(writes, { ordered: false });
  }
};

/** Adds contents of one namespace, and records them as an import, so that their progress is reported. */
export const importContents = async (
  id_project: string,
  inputs: ContentInput[],
  type: ContentAddType,
): Promise<void> => {
  const [first] = inputs;
  if (!first) return;
  const { namespace, sitemap_origin: source } = first;
  const importId = await imports.start({ id_project, namespace, type, source }, inputs.length);
  await upsertContents(id_project, inputs, importId);
  await imports.markWritten(id_project, importId);
};

/**
 * Adds contents of one namespace and type, records them as an import, and enqueues one indexing job. If several inputs
 * have the same source, the last one is used. Returns the stored contents in input order. Errors: 403 if the plan
 * allows fewer contents; pages of a sitemap are not checked.
 */
export const addMany = async (
  id_project: string,
  inputs: ContentInput[],
  contentAddType: ContentAddType = 'url_list',
) => {
  const unique = [...new Map(inputs.map((input) => [input.source, input])).values()];
  if (contentAddType !== 'sitemap') await assertContentsLeft(id_project, unique.length);
  await importContents(id_project, unique, contentAddType);
  const [first] = unique;
  if (first) {
    const { namespace, type } = first;
    await emitAdded(id_project, namespace, { contentAddType, count: unique.length, type });
  }
  await enqueueIndexing(id_project);
  return findInOrder(id_project, unique);
};

const findInOrder = async (id_project: string, inputs: ContentInput[]) => {
  const [first] = inputs;
  if (!first) return [];
  const sources = inputs.map(({ source }) => source);
  const found = await KbContent.find(
    { ...contentKey(id_project, first), source: { $in: sources } },
    CONTENT_FIELDS,
  ).lean();
  const bySource = new Map(found.map((content) => [content.source, content]));
  return sources.flatMap((source) => bySource.get(source) ?? []);
};

/** Returns a content. Throws 404 if the project has no such content. */
export const find = async (id_project: string, id: string) => {
  const content = isId(id) ? await readOne(KbContent, { _id: id, id_project }, CONTENT_FIELDS) : null;
  if (!content) throw notFound(`Content not found with id ${id} for project ${id_project}`);
  return content;
};

/** Queues a content to be fetched and indexed again. Throws 404 if the namespace has no such content. */
export const reindex = async (id_project: string, { id, namespace }: { id: string; namespace: string }) => {
  const update = requeueUpdate(NO_FAILURES, { error: 1, waiting: 1, import_id: 1 });
  const found = isId(id)
    ? await KbContent.findOneAndUpdate({ _id: id, id_project, namespace }, update, { projection: { _id: 1 } })
    : null;
  if (!found) throw notFound('Unable to find the kb requested'); // Deployed clients read this message.
  await enqueueIndexing(id_project);
};

/**
 * Removes a content with its chunks and vectors, and returns it. The pages of a sitemap are removed as well. Throws 404
 * if the project has no such content.
 */
export const remove = async (id_project: string, id: string) => {
  const content = await find(id_project, id).catch((error: unknown) => {
    throw error instanceof AppError ? notFound('Content not found') : error;
  });
  const { namespace, type } = content;
  // The deletion of the pages is recorded first, so that it is completed even if this process is killed.
  if (type === 'sitemap') await startDeletion({ id_project, namespace, kind: 'sitemap', sitemap: id });
  await removeContents({ id_project, _id: id });
  return content;
};
