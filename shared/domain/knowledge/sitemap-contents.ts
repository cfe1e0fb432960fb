/** Contents of the type `sitemap`. Each adds the pages of its sitemap, and removes pages no longer listed in it. */
import { AppError, notFound } from '../../errors.ts';
import { CONTENT_STATUS, KbContent, KbContentView, NO_FAILURES } from '../../models/kb-content.ts';
import { currentTime } from '../../time/clock.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { remove as removeContents } from './content-removals.ts';
import { withDefaults } from './content-types.ts';
import { addMany, type ContentInput, emitAdded, enqueueIndexing, importContents } from './contents.ts';
import { readSitemap } from './convert-sitemap.ts';

const CONTENT_FIELDS = projectionOf(KbContentView);
/** A page is removed when its sitemap has not listed it in this number of consecutive refreshes. */
const MISSES_TO_REMOVE = 3;
const UPDATES_PER_BATCH = 1000;

interface SitemapPages {
  sites: string[];
  /**
   * Whether all files of the sitemap were read completely and no limit cut off the list. If not, the sitemap may list
   * pages that are not in `sites`.
   */
  isComplete: boolean;
}

/**
 * Builds the error for a sitemap that cannot be read. `cause` is the error of the first file that could not be read
 * completely; it determines whether the indexing is tried again. Deployed clients read the message.
 */
const unreadableError = (message: string, cause: AppError | undefined): AppError =>
  Object.assign(new AppError(500, 'SITEMAP_FAILED', `Unable to fecth sitemap due to an error: ${message}`), { cause });

/**
 * Reads the pages of a sitemap. Throws 400 if the sitemap lists none, and 500 if it cannot be read. Deployed clients
 * rely on both statuses and both messages.
 */
const readPages = async (source: string, signal: AbortSignal): Promise<SitemapPages> => {
  const { sites, errors, failure } = await readSitemap(source, signal);
  const [error] = errors;
  if (!sites.length && error) throw unreadableError(error.message, failure);
  if (!sites.length) throw new AppError(400, 'SITEMAP_EMPTY', 'No url found on sitemap');
  return { sites: sites.filter((site) => /^https?:/i.test(site)), isComplete: errors.length === 0 };
};

/** A stored sitemap content, with the options that its pages inherit. */
type SitemapContent = NonNullable<Awaited<ReturnType<typeof findSitemap>>>;

const findSitemap = (id_project: string, id: string) =>
  KbContent.findOne({ _id: id, id_project, type: 'sitemap' }, { ...CONTENT_FIELDS, publishedAttemptId: 1 }).lean();

/** Identifies a refresh of a sitemap. All attempts of one refresh have the same id. */
const refreshIdOf = ({ publishedAttemptId }: SitemapContent): string => publishedAttemptId ?? 'first';

const pageInput = (sitemap: SitemapContent, source: string): ContentInput => ({
  namespace: sitemap.namespace,
  type: 'url',
  source,
  name: source,
  tags: sitemap.tags ?? undefined,
  scrape_type: sitemap.scrape_type ?? undefined,
  scrape_options: (sitemap.scrape_options as Record<string, unknown>) ?? undefined,
  refresh_rate: sitemap.refresh_rate ?? undefined,
  situated_context: sitemap.situated_context ?? undefined,
  sitemap_origin_id: String(sitemap._id),
  sitemap_origin: sitemap.source,
});

const upsertSitemap = (
  id_project: string,
  { namespace, source, name, tags, situated_context, ...options }: ContentInput,
) => {
  const fields = Object.entries({ name, tags, situated_context, ...withDefaults('sitemap', options) });
  const set = fields.filter(([, value]) => value !== undefined);
  const unset = fields.filter(([, value]) => value === undefined).map(([field]) => [field, 1]);
  return KbContent.findOneAndUpdate(
    { id_project, namespace, type: 'sitemap', source },
    {
      $set: {
        ...Object.fromEntries(set),
        status: CONTENT_STATUS.indexed,
        ...NO_FAILURES,
        last_refresh: currentTime(),
      },
      $unset: { ...Object.fromEntries(unset), error: 1, waiting: 1, attemptId: 1, leaseUntil: 1 },
    },
    { upsert: true, returnDocument: 'after', projection: CONTENT_FIELDS },
  ).lean() as Promise<SitemapContent>;
};

/** Adds a sitemap and its pages. The sitemap is read again at its refresh rate. Returns the pages, then the sitemap. */
export const importSitemap = async (id_project: string, input: ContentInput, signal: AbortSignal) => {
  const { sites } = await readPages(input.source, signal);
  const sitemap = await upsertSitemap(id_project, input);
  const pages = await addMany(
    id_project,
    sites.map((site) => pageInput(sitemap, site)),
    'sitemap',
  );
  return [...pages, sitemap];
};

interface SitemapChanges {
  added: string[];
  /** The pages that the sitemap does not list, with the number of earlier refreshes in which they were absent. */
  absent: { _id: string; misses: number }[];
  /** The ids of the pages that are listed again. */
  returned: string[];
}

/** Compares the pages of a sitemap with the contents that it added. */
const compare = async (id_project: string, sitemap: SitemapContent, sites: string[]): Promise<SitemapChanges> => {
  const listed = new Set(sites);
  const changes: SitemapChanges = { added: [], absent: [], returned: [] };
  const filter = { id_project, sitemap_origin_id: String(sitemap._id) };
  const stored = await KbContent.find(filter, { source: 1, missed_refreshes: 1 }).lean();
  for (const { _id, source, missed_refreshes: missed } of stored) {
    const misses = missed?.filter((refresh) => refresh !== refreshIdOf(sitemap)).length ?? 0;
    if (!listed.delete(source)) changes.absent.push({ _id: String(_id), misses });
    else if (missed?.length) changes.returned.push(String(_id));
  }
  changes.added = [...listed];
  return changes;
};

/**
 * Records that pages were absent in a refresh, however many attempts the refresh needs. Without `refreshId`, removes
 * these records of pages that are listed again.
 */
const recordMisses = async (id_project: string, ids: string[], refreshId?: string): Promise<void> => {
  const update = refreshId ? { $addToSet: { missed_refreshes: refreshId } } : { $unset: { missed_refreshes: 1 } };
  for (let start = 0; start < ids.length; start += UPDATES_PER_BATCH)
    await KbContent.updateMany({ id_project, _id: { $in: ids.slice(start, start + UPDATES_PER_BATCH) } }, update, {
      timestamps: false,
    });
};

/** Adds new pages of a sitemap as contents, except those that the knowledge base already contains. */
const addNewPages = async (id_project: string, sitemap: SitemapContent, sites: string[]): Promise<number> => {
  const { namespace } = sitemap;
  const existing = await KbContent.distinct('source', { id_project, namespace, type: 'url', source: { $in: sites } });
  const known = new Set(existing);
  const added = sites.filter((site) => !known.has(site));
  const inputs = added.map((site) => pageInput(sitemap, site));
  await importContents(id_project, inputs, 'sitemap');
  if (!added.length) return 0;
  await emitAdded(id_project, namespace, { contentAddType: 'sitemap', count: added.length, type: 'url' });
  await enqueueIndexing(id_project);
  return added.length;
};

/** The numbers of pages that a refresh added and removed. */
export interface SitemapRefresh {
  added: number;
  removed: number;
}

/**
 * Reads a sitemap again: adds its new pages, and removes pages that it has not listed in `missesToRemove` consecutive
 * refreshes. If a file cannot be read completely, or a limit cuts off the list of pages, no page is removed.
 */
export const refreshSitemap = async (
  { id_project, id, missesToRemove = MISSES_TO_REMOVE }: { id_project: string; id: string; missesToRemove?: number },
  signal: AbortSignal,
): Promise<SitemapRefresh> => {
  const sitemap = isId(id) ? await findSitemap(id_project, id) : null;
  if (!sitemap) throw notFound(`Content not found with id ${id}`);
  const { sites, isComplete } = await readPages(sitemap.source, signal);
  const { added, absent, returned } = await compare(id_project, sitemap, sites);
  await recordMisses(id_project, returned);
  const removed = isComplete ? absent.filter(({ misses }) => misses + 1 >= missesToRemove) : [];
  const missed = isComplete ? absent.filter(({ misses }) => misses + 1 < missesToRemove) : [];
  await recordMisses(
    id_project,
    missed.map(({ _id }) => _id),
    refreshIdOf(sitemap),
  );
  const addedCount = await addNewPages(id_project, sitemap, added);
  for (const { _id } of removed) await removeContents({ id_project, _id });
  return { added: addedCount, removed: removed.length };
};
