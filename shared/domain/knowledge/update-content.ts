/** Changes the fields of a content and indexes it again. */
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { AppError, notFound } from '../../errors.ts';
import { KbContent, KbContentView } from '../../models/kb-content.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { remove as removeContents } from './content-removals.ts';
import { add, type ContentInput, emitAdded, enqueueIndexing, find, queueUpdate } from './contents.ts';

const CONTENT_FIELDS = projectionOf(KbContentView);

const duplicateError = () =>
  new AppError(409, 'DUPLICATE', 'source: another content of the knowledge base has this type and source');

const contentNotFound = () => notFound('Content not found. Unable to update a non-existing content');

const readStored = async (id_project: string, id: string) => {
  const content = isId(id) ? await KbContent.findOne({ _id: id, id_project }, CONTENT_FIELDS).lean() : null;
  if (!content) throw contentNotFound();
  return content;
};

/** Moves a content to another namespace: adds it there, then removes the original with its chunks. */
const moveContent = async (id_project: string, id: string, input: ContentInput) => {
  const { value } = await add(id_project, input);
  await removeContents({ id_project, _id: id });
  return value;
};

/**
 * Replaces the fields of a content, queues it and returns it. Searches find its old chunks until new ones are ready.
 * The content keeps its id, unless it moves to another namespace. Errors: 404 for an unknown content, 409 if another
 * content has the new type and source, 422 if the type changes to or from `sitemap`.
 */
export const updateContent = async (id_project: string, id: string, changes: ContentInput) => {
  const { namespace, type, sitemap_origin_id, sitemap_origin } = await readStored(id_project, id);
  const origin = sitemap_origin_id ? { sitemap_origin_id, sitemap_origin: sitemap_origin ?? undefined } : {};
  const input = { ...changes, ...origin };
  if ((type === 'sitemap') !== (input.type === 'sitemap'))
    throw new AppError(422, 'INVALID', 'type: a sitemap keeps its type, and no other content can become a sitemap');
  if (namespace !== input.namespace) return moveContent(id_project, id, input);
  const { $set, $unset } = queueUpdate(input);
  const update = { $set: { ...$set, type: input.type, source: input.source }, $unset };
  try {
    await KbContent.findOneAndUpdate({ _id: id, id_project }, update).orFail(contentNotFound);
  } catch (error) {
    throw isDuplicateKey(error) ? duplicateError() : error;
  }
  await emitAdded(id_project, namespace, {
    contentAddType: 'content',
    count: 1,
    type: input.type,
    source: input.source,
  });
  await enqueueIndexing(id_project);
  return find(id_project, id);
};
