/**
 * The former settings of knowledge bases, which old dashboards still use. They represent the default knowledge base:
 * `kbs` lists its pages, and `gptkey` is stored as the key of the `openai` integration.
 */
import { notFound } from '../../errors.ts';
import { KbContent } from '../../models/kb-content.ts';
import { KbNamespace } from '../../models/kb-namespace.ts';
import * as integrations from '../integrations/integrations.ts';
import { add, find, remove } from './contents.ts';
import { find as findNamespace } from './namespaces.ts';

/** The limits that old dashboards display. They are not enforced. */
const SHOWN_LIMITS = { maxKbsNumber: 3, maxPagesNumber: 1000 };
const MAX_LISTED_PAGES = 1000;

const readPages = (id_project: string) =>
  KbContent.find({ id_project, namespace: id_project, type: 'url' }, { name: 1, source: 1, status: 1 })
    .sort({ _id: 1 })
    .limit(MAX_LISTED_PAGES)
    .lean();

/** Returns the settings of a project. Creates the default knowledge base if it does not exist. */
export const read = async (id_project: string) => {
  await findNamespace(id_project, id_project);
  const [namespace, pages] = await Promise.all([
    KbNamespace.findOne({ id_project, id: id_project }, { _id: 1 }).lean(),
    readPages(id_project),
  ]);
  const kbs = pages.map(({ _id, name, source, status }) => ({ _id, name, url: source, status }));
  return { _id: String(namespace?._id), id_project, ...SHOWN_LIMITS, kbs };
};

const assertSettings = async (id_project: string, id: string) => {
  if ((await read(id_project))._id !== id) throw notFound('KB Settings not found');
};

/** Stores the API key for the provider of chat models. */
export const saveKey = async (id_project: string, id: string, gptkey: string) => {
  await assertSettings(id_project, id);
  await integrations.save(id_project, { name: integrations.AI_INTEGRATION, value: { apikey: gptkey } });
  return read(id_project);
};

/** Adds a page to the default knowledge base. */
export const addPage = async (id_project: string, id: string, { name, url }: { name: string; url: string }) => {
  await assertSettings(id_project, id);
  await add(id_project, { namespace: id_project, type: 'url', source: url, name });
  return read(id_project);
};

/** Removes a page from the default knowledge base. */
export const removePage = async (id_project: string, id: string, contentId: string) => {
  await assertSettings(id_project, id);
  const { namespace, type } = await find(id_project, contentId);
  if (namespace !== id_project || type !== 'url') throw notFound('Content not found');
  await remove(id_project, contentId);
  return read(id_project);
};
