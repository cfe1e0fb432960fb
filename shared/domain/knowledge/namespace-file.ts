/** Exports the contents of a knowledge base to a file, and replaces them with those of a file. */
import { KbContent, KbContentView } from '../../models/kb-content.ts';
import { projectionOf } from '../../wire/view.ts';
import { assertContentsLeft } from '../quotas/quotas.ts';
import { remove as removeContents } from './content-removals.ts';
import { type ContentInput, emitAdded, enqueueIndexing, importContents } from './contents.ts';

/**
 * The types of contents that a file contains. Uploaded files are left out, because the uploads expire, and sitemaps,
 * because their pages are exported as pages.
 */
const EXPORTED_TYPES = ['url', 'text', 'faq'];
const REMOVALS_PER_BATCH = 500;

interface ExportedNamespace {
  id: string;
  id_project: string;
  name: string;
  preview_settings: Record<string, unknown>;
}

/** Yields a knowledge base as JSON, in pieces. With `status`, only contents with this status are included. */
export async function* exportNamespace(
  { id, id_project, name, preview_settings }: ExportedNamespace,
  status?: number,
): AsyncGenerator<string> {
  const filter = {
    id_project,
    namespace: id,
    type: { $in: EXPORTED_TYPES },
    ...(status === undefined ? {} : { status }),
  };
  yield `{"name":${JSON.stringify(name)},"preview_settings":${JSON.stringify(preview_settings)},"contents":[`;
  let separator = '';
  for await (const content of KbContent.find(filter, projectionOf(KbContentView)).sort({ _id: 1 }).lean().cursor()) {
    yield separator + JSON.stringify(content);
    separator = ',';
  }
  yield ']}';
}

/** Returns the ids of the exportable contents that the file does not contain. */
const replacedIds = async (id_project: string, namespace: string, inputs: ContentInput[]): Promise<string[]> => {
  const kept = new Set(inputs.map(({ type, source }) => `${type}\n${source}`));
  const stored = await KbContent.find(
    { id_project, namespace, type: { $in: EXPORTED_TYPES } },
    { type: 1, source: 1 },
  ).lean();
  return stored.filter(({ type, source }) => !kept.has(`${type}\n${source}`)).map(({ _id }) => String(_id));
};

/**
 * Replaces the texts, FAQs and pages of a knowledge base with those of a file, and queues them. If the knowledge base
 * already has a content of the file, searches find its old chunks until the new ones are ready.
 */
export const importNamespace = async (id_project: string, namespace: string, inputs: ContentInput[]): Promise<void> => {
  await assertContentsLeft(id_project, inputs.length);
  const unique = [...new Map(inputs.map((input) => [`${input.type}\n${input.source}`, input])).values()];
  await importContents(id_project, unique, 'import');
  await emitAdded(id_project, namespace, { contentAddType: 'import', count: unique.length, type: 'url' });
  await enqueueIndexing(id_project);
  const replaced = await replacedIds(id_project, namespace, unique);
  for (let start = 0; start < replaced.length; start += REMOVALS_PER_BATCH)
    await removeContents({ id_project, _id: { $in: replaced.slice(start, start + REMOVALS_PER_BATCH) } });
};
