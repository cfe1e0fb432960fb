/** Calls that one client makes until it is stopped: lists, slow uploads, new contents. Failed calls are not retried. */
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

type Send = (options: {
  method?: 'POST';
  path: string;
  headers?: object;
  body?: unknown;
  expected: number;
}) => Promise<string>;

/**
 * Returns a function that makes a call and returns the text of its answer. The function throws if the status is not the
 * expected one.
 */
const senderOf = (dispatcher: Agent, root: string, authorization: string): Send => {
  const send: Send = async ({ method = 'GET', path, headers, body, expected }) => {
    const options = { method, dispatcher, headers: { authorization, ...headers }, body };
    const reply = await request(root + path, options as never);
    const text = await reply.body.text();
    if (reply.statusCode !== expected) throw new Error(`${reply.statusCode} ${text}`);
    return text;
  };
  return send;
};

/** Uploads a file slowly. Returns the name of the stored file and its text. */
const uploadSlowly = async (send: Send): Promise<[string, string]> => {
  const bytes = randomUUID().repeat(UPLOAD_BYTES / randomUUID().length);
  const form = multipart({ name: `${randomUUID()}.txt`, bytes });
  const headers = { ...form.headers, 'content-length': String(form.body.length) };
  const upload = { method: 'POST', path: '/files/assets', headers, body: slowly(form.body), expected: 201 } as const;
  return [JSON.parse(await send(upload)).filename, bytes];
};

/** Starts the calls, over keep-alive connections that only they use. */
export const startSteadyCalls = async ({ url, authorization, id_project }: LoadClient) => {
  const origin = await url();
  const dispatcher = new Agent({ connections: 4, pipelining: 1 });
  const send = senderOf(dispatcher, `${origin}/v3/${id_project}`, authorization);
  const failures: string[] = [];
  const files = new Map<string, string>();
  const counts = { lists: 0, uploads: 0, contents: 0 };
  let isStopped = false;

  const list = async (): Promise<void> => {
    await send({ path: '/requests?limit=5', expected: 200 });
    counts.lists += 1;
  };
  const upload = async (): Promise<void> => {
    files.set(...(await uploadSlowly(send)));
    counts.uploads += 1;
  };
  const addContent = async (): Promise<void> => {
    const content = { type: 'text', name: 'Note', source: randomUUID(), content: `This is ${randomUUID()}.` };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ ...content, namespace: id_project });
    await send({ method: 'POST', path: '/kb', headers, body, expected: 200 });
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
    /** Ends the calls. Expects that every uploaded file can be read, and that every content is indexed. */
    complete: async (): Promise<void> => {
      isStopped = true;
      await running;
      await expectFilesReadable();
      await waitUntil(isIndexed, INDEXING_SECONDS);
      await dispatcher.close();
    },
  };
};
