import { z } from 'zod';
import { chunksOf } from '#shared/domain/knowledge/chunks.ts';
import * as contents from '#shared/domain/knowledge/contents.ts';
import { AppError } from '#shared/errors.ts';

/** The passages of a content, as the dashboard reads them (contract c 1.5). */
export const Matches = z.strictObject({
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

/** The passages of a content of this knowledge base; 403 for a content of another one. */
export const matchesIn = async (project: string, namespace: string, id: string) => {
  const { source, type, last_refresh, ...content } = await contents.find(project, id);
  if (content.namespace !== namespace)
    throw new AppError(403, 'FORBIDDEN', 'Not allowed. The content does not belong to the current namespace.');
  const about = { metadata_id: id, metadata_source: source, metadata_type: type };
  const date = last_refresh?.toISOString() ?? 'Date not defined';
  const chunks = await chunksOf(project, id);
  return chunks.map(({ id, text }) => ({ id, ...about, date, text }));
};
