/**
 * A bare import with the same libraries as the product: fetches, parses, embeds and inserts pages, several at a time.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import mongoose from 'mongoose';
import OpenAI from 'openai';
import { ulid } from 'ulid';
import { request } from 'undici';
import { config } from '#shared/config.ts';
import { connectMongo } from '#shared/database/connection.ts';
import { embeddedText } from '#shared/domain/knowledge/indexing/chunks.ts';
import { parsePage } from '#shared/parsing/parse-page.ts';
import { loadLibraries, locateVectorTable, toArrowTable } from '#shared/vectors/lance-table-location.ts';

/** The number of pages imported at the same time. A higher number does not increase the rate. */
const PAGES_AT_ONCE = 8;

await connectMongo();
const chunks = mongoose.connection.collection('bare_chunks');
const { lance, arrow } = await loadLibraries();
const openai = new OpenAI({ baseURL: config.OPENAI_BASE_URL, apiKey: 'none' });

const importer = async (round: string) => {
  const part = locateVectorTable(join(config.DATA_DIR, 'bare'), { project: round, namespace: round, dimension: 384 });
  const db = await lance.connect(join(config.DATA_DIR, 'bare', round));
  const rowsOf = ({ content, texts, vectors }: { content: string; texts: string[]; vectors: Float32Array[] }) =>
    texts.map((text, index) => ({
      id: createHash('sha256').update(`${content}${index}`).digest('hex').slice(0, 40),
      content,
      attemptId: ulid(),
      text,
      vector: vectors[index] ?? null,
    }));
  const table = await db.createTable(
    'chunks',
    toArrowTable(arrow, part, rowsOf({ content: round, texts: ['first'], vectors: [new Float32Array(384)] })),
  );
  return async (url: string) => {
    const { body, headers } = await request(url);
    const bytes = new Uint8Array(await body.arrayBuffer());
    const page = await parsePage(
      { body: bytes, contentType: String(headers['content-type']), url },
      config.CHUNK_TOKENS,
    );
    const texts = page.chunks.map(embeddedText);
    const { data } = await openai.embeddings.create({ model: 'instant', input: texts, encoding_format: 'base64' });
    const vectors = data.map(
      ({ embedding }) => new Float32Array(Uint8Array.from(Buffer.from(embedding, 'base64')).buffer),
    );
    const rows = rowsOf({ content: String(new mongoose.Types.ObjectId()), texts, vectors });
    await chunks.insertMany(rows.map((row) => ({ ...row, vector: Buffer.from(row.vector?.buffer as ArrayBuffer) })));
    await table.add(toArrowTable(arrow, part, rows));
  };
};

process.on('message', async ({ urls }: { urls: string[] }) => {
  const started = performance.now();
  const importPage = await importer(String(new mongoose.Types.ObjectId()));
  const waiting = urls.values();
  const loop = async () => {
    for (const url of waiting) await importPage(url);
  };
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, loop));
  process.send?.({ rate: urls.length / ((performance.now() - started) / 1000) });
});
process.send?.({ ready: true });
