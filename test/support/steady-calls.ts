/** Calls of one client that go on until they are stopped: lists, slow uploads and new contents. None is repeated. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { KbContent } from '#shared/models/kb-content.ts';
import type { LoadClient } from './load-clients.ts';
import { multipart } from './uploads.ts';
import { waitUntil } from './wait-until.ts';

const PAUSE_MS = 100;
const UPLOAD_BYTES = 40_000;
const UPLOAD_PIECES = 8;
const PIECE_PAUSE_MS = 150;
const INDEXING_SECONDS = 180;

async function* slowly(body: Buffer): AsyncGenerator<Buffer> {
  const size = Math.ceil(body.length / UPLOAD_PIECES);
  for (let start = 0; start < body.length; start += size) {
    yield body.subarray(start, start + size);
    await sleep(PIECE_PAUSE_MS);
  }
}

/** Starts the calls, each over its own keep-alive connections. */
export const startSteadyCalls = async ({ url, authorization, id_project }: LoadClient) => {
  const origin = await url();
  const dispatcher = new Agent({ connections: 4, pipelining: 1 });
  const failures: string[] = [];
  const files = new Map<string, string>();
  const counts = { lists: 0, uploads: 0, contents: 0 };
  let isStopped = false;
  const root = `${origin}/v3/${id_project}`;

  const list = async (): Promise<void> => {
    const { statusCode, body } = await request(`${root}/requests?limit=5`, { dispatcher, headers: { authorization } });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
    counts.lists += 1;
  };
  const upload = async (): Promise<void> => {
    const bytes = randomUUID().repeat(UPLOAD_BYTES / randomUUID().length);
    const form = multipart({ name: `${randomUUID()}.txt`, bytes });
    const headers = { authorization, ...form.headers, 'content-length': String(form.body.length) };
    const options = { method: 'POST', dispatcher, headers, body: slowly(form.body) } as const;
    const reply = await request(`${root}/files/assets`, options as never);
    const text = await reply.body.text();
    if (reply.statusCode !== 201) throw new Error(`${reply.statusCode} ${text}`);
    files.set(JSON.parse(text).filename, bytes);
    counts.uploads += 1;
  };
  const addContent = async (): Promise<void> => {
    const content = { type: 'text', name: 'Note', source: randomUUID(), content: `This is ${randomUUID()}.` };
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ ...content, namespace: id_project });
    const reply = await request(`${root}/kb`, { method: 'POST', dispatcher, headers, body });
    const text = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${text}`);
    counts.contents += 1;
  };
  const repeat = async (name: string, work: () => Promise<void>): Promise<void> => {
    while (!isStopped) {
      await work().catch((error: Error) => failures.push(`${name}: ${String(error)} ${String(error.cause ?? '')}`));
      await sleep(PAUSE_MS);
    }
  };
  const running = Promise.all([repeat('list', list), repeat('upload', upload), repeat('content', addContent)]);

  const expectFilesReadable = async (): Promise<void> => {
    for (const [filename, expected] of files) {
      const reply = await request(`${origin}/v3/files?path=${filename}`, { dispatcher });
      expect([reply.statusCode, (await reply.body.text()) === expected], filename).to.deep.equal([200, true]);
    }
  };
  const isIndexed = async (): Promise<boolean> =>
    (await KbContent.countDocuments({ id_project, status: 300 })) === counts.contents;
  return {
    failures,
    counts,
    /** Ends the calls. Expects that every upload can be read, and that the job of every content was done. */
    complete: async (): Promise<void> => {
      isStopped = true;
      await running;
      await expectFilesReadable();
      await waitUntil(isIndexed, INDEXING_SECONDS);
      await dispatcher.close();
    },
  };
};
