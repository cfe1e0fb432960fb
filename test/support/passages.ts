/** Knowledge put straight into a namespace, as an import would leave it. */
import { ulid } from 'ulid';
import { store } from '#shared/domain/knowledge/chunks.ts';
import type { Embedder } from '#shared/embedding/embedder.ts';
import { KbContent, STATUS } from '#shared/models/kb-content.ts';
import { hex } from './chunk-rows.ts';
import { wordVector } from './word-vector.ts';

/** A namespace of a project of its own. */
export const aPlace = () => ({ id_project: hex(24), namespace: hex(24) });

type Place = ReturnType<typeof aPlace>;

/** An embedder for which texts with the same words are alike. */
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

/** One more attempt at a content; its passages count once the content names it. */
export async function attemptAt(place: Place, content: string, texts: string[]): Promise<string> {
  const id = ulid();
  const attempt = { id, content, ...place, type: 'text', source: '', name: '', text: '', failures: 0, earlier: [] };
  await store(
    attempt,
    texts.map((text) => ({ text, headings: [], tokens: text.split(' ').length })),
    AbortSignal.timeout(10_000),
  );
  return id;
}

/** An indexed content with these passages; its id. */
export async function aContent(
  place: Place,
  texts: string[],
  more: { tags?: string[]; source?: string } = {},
): Promise<string> {
  const source = more.source ?? `https://example.com/${hex(8)}`;
  const { _id } = await KbContent.create({
    ...place,
    type: 'url',
    source,
    name: source,
    status: STATUS.indexed,
    ...more,
  });
  const current = await attemptAt(place, String(_id), texts);
  await KbContent.updateOne({ _id, id_project: place.id_project }, { $set: { current, chunks: texts.length } });
  return String(_id);
}
