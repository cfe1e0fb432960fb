/** Contents of knowledge bases: adding is a write with status -1 and a nudge; the rest happens in the background. */
import { AppError, notFound } from '../../errors.ts';
import { KbContent, KbContentView, STATUS } from '../../models/kb-content.ts';
import { enqueue } from '../../queue.ts';
import { readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';
import { remove as removeContents } from './removals.ts';

/** Contents a single call may add (decision 23). */
export const MAX_LIST = 10_000;

const FIELDS = fieldsOf(KbContentView);
const BATCH = 1000;

/** What a caller gives. */
export interface ContentInput {
  namespace: string;
  type: string;
  source: string;
  name: string;
  content?: string;
  tags?: string[];
  scrape_type?: number;
  refresh_rate?: string;
}

const keyOf = (id_project: string, { namespace, type, source }: ContentInput) => ({
  id_project,
  namespace,
  type,
  source,
});

/** The write that queues a content, new or known: whoever still works on it loses its hold. */
const queued = ({ name, content = '', tags, scrape_type, refresh_rate }: ContentInput) => {
  const given = Object.entries({ tags, scrape_type, refresh_rate });
  const set = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const unset = Object.fromEntries(given.filter(([, value]) => value === undefined).map(([key]) => [key, 1]));
  return {
    $set: { name, content, ...set, status: STATUS.queued, failures: 0, due: new Date() },
    $unset: { ...unset, error: 1, waiting: 1, attempt: 1, lease: 1 },
  };
};

const nudge = (id_project: string) => enqueue('kb.work-contents', { id_project });

/** Add a content or queue the one with the same namespace, type and source again (decision 23). */
export const add = async (id_project: string, input: ContentInput) => {
  const result = await KbContent.findOneAndUpdate(keyOf(id_project, input), queued(input), {
    upsert: true,
    returnDocument: 'after',
    projection: FIELDS,
    includeResultMetadata: true,
  }).lean();
  await nudge(id_project);
  const { value, lastErrorObject } = result as unknown as {
    value: Content;
    lastErrorObject: { updatedExisting: boolean; upserted?: unknown };
  };
  const { updatedExisting, upserted } = lastErrorObject;
  return { lastErrorObject: { n: 1, updatedExisting, ...(upserted ? { upserted: String(upserted) } : {}) }, value };
};

type Content = NonNullable<Awaited<ReturnType<typeof find>>>;

/** Add many contents of one namespace and type, in their order, in few writes and one nudge. */
export const addMany = async (id_project: string, inputs: ContentInput[]) => {
  const unique = [...new Map(inputs.map((input) => [input.source, input])).values()];
  for (let start = 0; start < unique.length; start += BATCH) {
    const writes = unique.slice(start, start + BATCH).map((input) => ({
      updateOne: { filter: keyOf(id_project, input), update: queued(input), upsert: true },
    }));
    await KbContent.bulkWrite(writes, { ordered: false });
  }
  await nudge(id_project);
  return inOrder(id_project, unique);
};

const inOrder = async (id_project: string, inputs: ContentInput[]) => {
  const [first] = inputs;
  if (!first) return [];
  const sources = inputs.map(({ source }) => source);
  const found = await KbContent.find({ ...keyOf(id_project, first), source: { $in: sources } }, FIELDS).lean();
  const bySource = new Map(found.map((content) => [content.source, content]));
  return sources.flatMap((source) => bySource.get(source) ?? []);
};

/** A content of the project, or 404. */
export const find = async (id_project: string, id: string) => {
  const content = isId(id) ? await readOne(KbContent, { _id: id, id_project }, FIELDS) : null;
  if (!content) throw notFound(`Content not found with id ${id} for project ${id_project}`);
  return content;
};

/** Fetch and index a content again. */
export const reindex = async (id_project: string, { id, namespace }: { id: string; namespace: string }) => {
  const again = {
    $set: { status: STATUS.queued, failures: 0, due: new Date() },
    $unset: { error: 1, waiting: 1, attempt: 1, lease: 1 },
  };
  const found = isId(id)
    ? await KbContent.findOneAndUpdate({ _id: id, id_project, namespace }, again, { projection: { _id: 1 } })
    : null;
  if (!found) throw notFound('Unable to find the kb requested');
  await nudge(id_project);
};

/** Remove a content with its passages and vectors; answers what was removed. */
export const remove = async (id_project: string, id: string) => {
  const content = await find(id_project, id).catch((error: unknown) => {
    throw error instanceof AppError ? notFound('Content not found') : error;
  });
  await removeContents({ id_project, _id: id });
  return content;
};
