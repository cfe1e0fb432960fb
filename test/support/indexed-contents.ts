/** Writes indexed contents directly into a namespace, as if they had been imported. */
import { ulid } from 'ulid';
import { storeChunks } from '#shared/domain/knowledge/indexing/chunks.ts';
import type { Embedder } from '#shared/embedding/embedder.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { hex } from './chunk-rows.ts';
import { wordVector } from './word-vectors.ts';

/** The key of a namespace, with random ids; the namespace and its project are not stored. */
export const aNamespaceKey = () => ({ id_project: hex(24), namespace: hex(24) });

type NamespaceKey = ReturnType<typeof aNamespaceKey>;

/** An embedder that returns similar vectors for texts that have words in common. */
export const wordEmbedder: Embedder = {
  provider: 'openai',
  name: 'words',
  dimension: 64,
  embed: async (texts) =>
    texts.map((text) => {
      const vector = wordVector(text, 64);
      const length = Math.hypot(...vector);
      return Float32Array.from(vector, (value) => value / length);
    }),
  close: async () => {},
};

/** Stores the chunks of a new indexing attempt, which does not become the current attempt; returns the attempt's id. */
export async function addAttempt(namespaceKey: NamespaceKey, contentId: string, texts: string[]): Promise<string> {
  const id = ulid();
  const attempt = {
    id,
    contentId,
    ...namespaceKey,
    type: 'text',
    source: '',
    name: '',
    text: '',
    failures: 0,
    outages: 0,
    otherAttemptIds: [],
    stages: [],
  };
  await storeChunks(
    attempt,
    texts.map((text) => ({ text, headings: [], tokens: text.split(' ').length })),
    AbortSignal.timeout(10_000),
  );
  return id;
}

/** Creates an indexed content with these chunks; returns its id. */
export async function anIndexedContent(
  namespaceKey: NamespaceKey,
  texts: string[],
  more: { tags?: string[]; source?: string } = {},
): Promise<string> {
  const source = more.source ?? `https://example.com/${hex(8)}`;
  const { _id } = await KbContent.create({
    ...namespaceKey,
    type: 'url',
    source,
    name: source,
    status: CONTENT_STATUS.indexed,
    ...more,
  });
  const publishedAttemptId = await addAttempt(namespaceKey, String(_id), texts);
  await KbContent.updateOne(
    { _id, id_project: namespaceKey.id_project },
    { $set: { publishedAttemptId, chunks: texts.length } },
  );
  return String(_id);
}
