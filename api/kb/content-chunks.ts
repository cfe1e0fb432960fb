/** Lists the chunks of a content. */
import { z } from 'zod';
import * as contents from '#shared/domain/knowledge/contents.ts';
import { readCurrentChunks } from '#shared/domain/knowledge/indexing/chunks.ts';
import { AppError } from '#shared/errors.ts';
import { view } from '#shared/wire/view.ts';

/** The chunks of a content in the format that deployed dashboards rely on. */
export const ContentChunksView = view('ContentChunks', {
  matches: z.array(
    z.strictObject({
      id: z.string(),
      metadata_id: z.string(),
      metadata_source: z.string(),
      metadata_type: z.string(),
      date: z.string(),
      text: z.string(),
    }),
  ),
});

/** Returns the chunks of a content; throws 403 if it belongs to another knowledge base. */
export const listContentChunks = async (project: string, namespace: string, id: string) => {
  const { source, type, last_refresh, ...content } = await contents.find(project, id);
  if (content.namespace !== namespace)
    throw new AppError(403, 'FORBIDDEN', 'Not allowed. The content does not belong to the current namespace.');
  const metadata = { metadata_id: id, metadata_source: source, metadata_type: type };
  const date = last_refresh?.toISOString() ?? 'Date not defined';
  const chunks = await readCurrentChunks(project, id);
  return chunks.map(({ id, text }) => ({ id, ...metadata, date, text }));
};
