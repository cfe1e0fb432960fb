/** The typed client, against a running API. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { abortable } from '#shared/concurrency/abortable.ts';
import { ApiError, createClient } from '../../client/client.ts';
import { anApi, api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { appendChanges, appendGap, numberedChanges, removeGaps } from '../support/append-changes.ts';
import { aProject } from '../support/people.ts';

const MAX_COMPRESSED_BYTES = 5000;
const folder = new URL('../../client/', import.meta.url);
const modules = readdirSync(folder).filter((name) => /(?<!\.d)\.ts$/.test(name));

const aClient = async (options: { fetch?: typeof fetch; retries?: number } = {}) => {
  const { owner, project } = await aProject();
  const client = createClient({ url: await anApi(), authorization: owner.authorization, ...options });
  return { client, owner, project_id: project.id };
};

/** A `fetch` that returns the next of `responses`. If none is left, it sends the call twice, as a proxy may. */
const unreliableFetch = (responses: (Response | undefined)[]): typeof fetch => {
  const send: typeof fetch = async (...call) => {
    const instead = responses.shift();
    if (instead) return instead;
    await fetch(...call);
    return fetch(...call);
  };
  return send;
};

const unavailable = () => new Response('{}', { status: 503, headers: { 'retry-after': '0' } });

describe('Client', () => {
  it('a call returns the reply, and an error contains its code and names the invalid fields', async () => {
    const { client, project_id } = await aClient();
    const tag = await client.call('POST /v3/{project_id}/tags', { path: { project_id }, body: { tag: 'vip' } });
    expect(tag).to.include({ tag: 'vip', id_project: project_id });
    const attempt = client.call('POST /v3/{project_id}/tags', { path: { project_id }, body: { tag: '' } });
    const error = await attempt.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(ApiError);
    expect(error).to.include({ status: 422, code: 'INVALID' });
    expect((error as ApiError).errors.map(({ path }) => path)).to.deep.equal(['tag']);
    expect((error as ApiError).requestId).to.be.a('string');
  });

  it('a missing path parameter causes an error before anything is sent', async () => {
    const { client } = await aClient();
    const attempt = client.call('GET /v3/{project_id}/tags', { path: {} as { project_id: string } });
    expect(await attempt.catch((error: Error) => error.message)).to.match(/^path\.project_id is required/);
  });

  it('a POST is repeated while the server is unavailable, and takes effect once although it arrives twice', async () => {
    const { client, owner, project_id } = await aClient({ fetch: unreliableFetch([unavailable(), unavailable()]) });
    const path = { project_id, request_id: `support-group-${project_id}-1` };
    await client.call('POST /v3/{project_id}/requests/{request_id}/messages', { path, body: { text: 'Hello' } });
    const { body } = await api(owner).get(`/v3/${project_id}/requests/${path.request_id}/messages`);
    expect(body.filter(({ text }: { text: string }) => text === 'Hello')).to.have.length(1);
  });

  it('a call is repeated at most `retries` times', async () => {
    const { client, project_id } = await aClient({ fetch: unreliableFetch(times(2, unavailable)), retries: 1 });
    const attempt = client.call('GET /v3/{project_id}/tags', { path: { project_id } });
    expect(await attempt.catch((error: ApiError) => error.status)).to.equal(503);
  });

  it('a streamed question, which has no idempotency key, is repeated only after 429 or 503 with Retry-After', async () => {
    const url = 'https://chat.example.com';
    const countCalls = async (first: (signal: AbortSignal) => Response | Promise<Response>) => {
      const keys: (string | null)[] = [];
      const client = createClient({
        ...{ url, retries: 1, timeoutMs: 5 },
        fetch: async (_, init) => {
          keys.push(new Headers(init?.headers).get('idempotency-key'));
          return keys.length === 1 ? first(init?.signal as AbortSignal) : Response.json({});
        },
      });
      const body = { question: 'Why?', namespace: 'n', stream: true };
      await client.call('POST /v3/{project_id}/kb/qa', { path: { project_id: 'p' }, body }).catch(() => undefined);
      expect(keys.filter(Boolean)).to.deep.equal([]);
      return keys.length;
    };
    const answer = (status: number, headers?: Record<string, string>) => () => new Response('{}', { status, headers });
    const brokenConnection = () => Promise.reject(new TypeError('fetch failed'));
    const noAnswer = (signal: AbortSignal) => abortable(new Promise<Response>(() => undefined), signal);
    const retryAfter = { 'retry-after': '0' };
    for (const first of [answer(502), answer(503), answer(504, retryAfter), answer(429), brokenConnection, noAnswer])
      expect(await countCalls(first)).to.equal(1);
    for (const status of [429, 503]) expect(await countCalls(answer(status, retryAfter))).to.equal(2);
  });

  it('a question with `chunks_only` has an idempotency key even with `stream: true`, because its reply is not streamed', async () => {
    const keys: (string | null)[] = [];
    const client = createClient({
      url: 'https://chat.example.com',
      fetch: async (_, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'));
        return Response.json({});
      },
    });
    const body = { question: 'Why?', namespace: 'n', chunks_only: true, stream: true };
    await client.call('POST /v3/{project_id}/kb/qa', { path: { project_id: 'p' }, body });
    expect(keys).to.have.length(1).and.not.include(null);
  });

  it('`list` yields the records of all pages, whether the list uses cursors or page numbers', async () => {
    const { client, project_id } = await aClient();
    const path = { project_id };
    for (const index of times(5, Number)) {
      await client.call('POST /v3/{project_id}/tags', { path, body: { tag: `tag ${index}` } });
      await client.call('POST /v3/{project_id}/leads', { path, body: { fullname: `Lead ${index}` } });
    }
    const tags = await Array.fromAsync(client.list('GET /v3/{project_id}/tags', { path, query: { limit: 2 } }));
    expect(new Set(tags.map(({ tag }) => tag))).to.have.property('size', 5);
    const leads = await Array.fromAsync(client.list('GET /v3/{project_id}/leads', { path, query: { limit: 2 } }));
    expect(new Set(leads.map(({ fullname }) => fullname))).to.have.property('size', 5);
    expect([tags.length, leads.length]).to.deep.equal([5, 5]);
  });

  it('`changes` yields each change once and a `gap` where changes may be missing, and continues after it until the caller aborts', async () => {
    const { client, project_id } = await aClient();
    const [first] = await appendChanges(project_id, ...numberedChanges(3));
    const abort = new AbortController();
    const received: unknown[] = [];
    try {
      for await (const { event, payload } of client.changes(project_id, { after: first!, signal: abort.signal })) {
        received.push(event === 'gap' ? event : (payload as { n: number }).n);
        if (received.length === 2) {
          await appendGap();
          await appendChanges(project_id, { payload: { n: 4 } });
        }
        if (received.at(-1) === 4) abort.abort();
      }
    } finally {
      await removeGaps();
    }
    expect(received).to.deep.equal([1, 2, 'gap', 4]);
  });

  it('the client has no dependencies', () => {
    const sources = modules.map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const imported = sources.flatMap((source) => [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name));
    expect(imported.filter((name) => !name?.startsWith('./'))).to.deep.equal([]);
  });

  it('the API serves the modules of the client without their types, compressed to less than 5 KB', async () => {
    const texts: string[] = [];
    for (const name of modules.filter((module) => module !== 'types.ts')) {
      const response = await fetch(`${await anApi()}/assets/client/${name}`);
      expect(response.status, name).to.equal(200);
      expect(response.headers.get('content-type')).to.match(/^text\/javascript/);
      texts.push(await response.text());
      expect(texts.at(-1)).not.to.match(/^(interface|type|import type) /m);
    }
    expect(gzipSync(texts.join('')).length).to.be.below(MAX_COMPRESSED_BYTES);
  });
});
