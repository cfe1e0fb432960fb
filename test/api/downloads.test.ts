/** Downloads that are generated while they are read, tested with endpoints that exist only in this file. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { request } from 'undici';
import { z } from 'zod';
import { correlationId } from '#shared/context.ts';
import { AppError } from '#shared/errors.ts';
import { Download, EventStream, endpoint } from '../../api/http/endpoint.ts';
import { catchErrors, requestLog } from '../../api/http/middleware.ts';
import { csv } from '../../api/http/response/csv.ts';
import { endpointRoutes, routeRequests } from '../../api/http/router.ts';
import { waitUntil } from '../support/wait-until.ts';

const CHUNK = 'x'.repeat(65_536);
let madeCount = 0;
let hasEnded = false;

async function* endlessChunks() {
  try {
    for (madeCount = 0, hasEnded = false; ; madeCount++) yield CHUNK;
  } finally {
    hasEnded = true;
  }
}

async function* chunksThenError(after: number) {
  for (let index = 0; index < after; index++) yield CHUNK;
  throw new AppError(409, 'BROKEN', 'It broke');
}

const chunkSources: Record<string, () => AsyncIterable<string>> = {
  endless: endlessChunks,
  late: () => chunksThenError(3),
  early: () => chunksThenError(0),
  ids: correlationIds,
};

async function* correlationIds() {
  for (let index = 0; index < 3; index++) yield `${correlationId()} `;
}

async function* framesThenError() {
  yield 'data: 1\n\n';
  throw new Error('It broke');
}

const downloads = Object.entries(chunkSources).map(([name, make]) =>
  endpoint({
    method: 'get',
    path: `/v3/test/${name}`,
    role: 'none',
    summary: name,
    downloads: 'text/plain',
    reply: z.string(),
    handle: async () => new Download(make(), `${name} “ü”.txt`),
  }),
);

const events = endpoint({
  method: 'get',
  path: '/v3/test/events',
  role: 'none',
  summary: 'events',
  streams: 'only',
  reply: z.string(),
  handle: async () => new EventStream(framesThenError()),
});

const startServer = async (): Promise<Server> => {
  const app = new Koa();
  app.silent = true; // otherwise Koa would print an error for each reader that disconnects
  app.use(requestLog).use(catchErrors);
  app.use(routeRequests(endpointRoutes([...downloads, events])));
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

describe('Streamed downloads', () => {
  let server: Server;
  const urlOf = (name: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/test/${name}`;

  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  it('a download is generated only as fast as it is read, and stops when the reader disconnects', async () => {
    const { body, headers } = await request(urlOf('endless'));
    expect(headers['content-disposition']).to.equal(
      `attachment; filename="endless ?ü?.txt"; filename*=UTF-8''endless%20%E2%80%9C%C3%BC%E2%80%9D.txt`,
    );
    for await (const piece of body) {
      expect(piece).to.have.property('length');
      break; // disconnects
    }
    await waitUntil(() => hasEnded);
    expect(madeCount).to.be.lessThan(1000);
  });

  it('a HEAD request generates no chunk of the download', async () => {
    const { statusCode, body } = await request(urlOf('endless'), { method: 'HEAD' });
    expect(statusCode).to.equal(200);
    expect(await body.text()).to.equal('');
    await waitUntil(() => hasEnded);
    expect(madeCount).to.equal(0);
  });

  it('a download that fails before its first chunk returns a JSON error', async () => {
    const { statusCode, body } = await request(urlOf('early'));
    expect(statusCode).to.equal(409);
    expect(await body.json()).to.include({ code: 'BROKEN' });
  });

  it('a download that fails midway breaks the connection, so that it does not look complete', async () => {
    const { statusCode, body } = await request(urlOf('late'));
    expect(statusCode).to.equal(200);
    const end = await body.text().then(
      () => 'whole',
      () => 'broken',
    );
    expect(end).to.equal('broken');
  });

  it('the request id of a download is known while each of its chunks is generated', async () => {
    const { body } = await request(urlOf('ids'), { headers: { 'x-request-id': 'my-request-1' } });
    expect(await body.text()).to.equal('my-request-1 '.repeat(3));
  });

  it('an event stream that fails midway ends after the frames that it has sent', async () => {
    const { statusCode, headers, body } = await request(urlOf('events'));
    expect(statusCode).to.equal(200);
    expect(headers['content-type']).to.equal('text/event-stream; charset=utf-8');
    expect(await body.text()).to.equal('data: 1\n\n');
  });
});

describe('CSV output', () => {
  const table = async (...rows: object[]): Promise<string> => {
    async function* each() {
      yield* rows;
    }
    return (await Array.fromAsync(csv(['a', 'b'], each()))).join('');
  };

  it('a CSV file without rows has a header', async () => {
    expect(await table()).to.equal('a;b\n');
  });

  it('a CSV field can hold any value: quotes, lists, objects, dates and null', async () => {
    const rows = [
      { a: 'x;y', b: 'say "hi"' },
      { a: ['p', 'q'], b: { c: 1 } },
      { a: new Date(0), b: true },
      { a: null, c: 'left out' },
    ];
    expect(await table(...rows)).to.equal(
      'a;b\n"x;y";"say ""hi"""\np, q;"{""c"":1}"\n1970-01-01T00:00:00.000Z;true\n;\n',
    );
  });

  it('CSV output escapes formulas for spreadsheets and leaves numbers unchanged', async () => {
    const signs = ['=', '+', '-', '@', '\t', '＝'];
    const [, ...rows] = (await table(...signs.map((sign) => ({ a: `${sign}1` })), { a: -1 })).split('\n');
    expect(rows.map((row) => row.slice(0, -1))).to.deep.equal([...signs.map((sign) => `'${sign}1`), '-1', '']);
  });
});
