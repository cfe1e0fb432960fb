/** Answers that are made as they are taken, by endpoints of the test's own. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { request } from 'undici';
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import { csv } from '../../api/http/csv.ts';
import { Download, endpoint } from '../../api/http/endpoint.ts';
import { catchErrors } from '../../api/http/errors.ts';
import { keepHeads } from '../../api/http/head.ts';
import { mount } from '../../api/http/mount.ts';
import { requestLog } from '../../api/http/request-log.ts';
import { Routes } from '../../api/http/routes.ts';
import { until } from '../support/until.ts';

const PIECE = 'x'.repeat(65_536);
let made = 0;
let ended = false;

async function* withoutEnd() {
  try {
    for (made = 0, ended = false; ; made++) yield PIECE;
  } finally {
    ended = true;
  }
}

async function* failing(after: number) {
  for (let at = 0; at < after; at++) yield PIECE;
  throw new AppError(409, 'BROKEN', 'It broke');
}

const pieces: Record<string, () => AsyncIterable<string>> = {
  endless: withoutEnd,
  late: () => failing(3),
  early: () => failing(0),
};

const downloads = Object.entries(pieces).map(([name, make]) =>
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

const listening = async (): Promise<Server> => {
  const app = new Koa();
  app.silent = true; // readers leave here
  const routes = new Routes();
  keepHeads(app);
  mount(routes, downloads);
  app.use(requestLog).use(catchErrors);
  app.use((ctx) => {
    const found = routes.find(ctx.method, ctx.path);
    ctx.params = found?.params;
    return found?.route.handler(ctx);
  });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

describe('A download', () => {
  let server: Server;
  const at = (name: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/test/${name}`;

  before(async () => {
    server = await listening();
  });
  after(() => server.close());

  it('is made no faster than it is taken, and no further once its reader has left', async () => {
    const { body, headers } = await request(at('endless'));
    expect(headers['content-disposition']).to.equal(
      `attachment; filename="endless ?ü?.txt"; filename*=UTF-8''endless%20%E2%80%9C%C3%BC%E2%80%9D.txt`,
    );
    for await (const piece of body) {
      expect(piece).to.have.property('length');
      break; // gone
    }
    await until(() => ended);
    expect(made).to.be.lessThan(1000);
  });

  it('is not made where its head alone is asked for', async () => {
    const { statusCode, body } = await request(at('endless'), { method: 'HEAD' });
    expect(statusCode).to.equal(200);
    expect(await body.text()).to.equal('');
    await until(() => ended);
    expect(made).to.equal(0);
  });

  it('is a plain error where its beginning can not be made', async () => {
    const { statusCode, body } = await request(at('early'));
    expect(statusCode).to.equal(409);
    expect(await body.json()).to.include({ code: 'BROKEN' });
  });

  it('breaks off where the rest can not be made, so that half of it looks like no whole', async () => {
    const { statusCode, body } = await request(at('late'));
    expect(statusCode).to.equal(200);
    const end = await body.text().then(
      () => 'whole',
      () => 'broken',
    );
    expect(end).to.equal('broken');
  });
});

describe('A table', () => {
  const table = async (...rows: object[]): Promise<string> => {
    async function* each() {
      yield* rows;
    }
    return (await Array.fromAsync(csv(['a', 'b'], each()))).join('');
  };

  it('has a header even where it has no rows', async () => {
    expect(await table()).to.equal('a;b\n');
  });

  it('has one field for whatever stands in it', async () => {
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

  it('runs nothing in a spreadsheet, and leaves numbers as they are', async () => {
    const signs = ['=', '+', '-', '@', '\t', '＝'];
    const [, ...rows] = (await table(...signs.map((sign) => ({ a: `${sign}1` })), { a: -1 })).split('\n');
    expect(rows.map((row) => row.slice(0, -1))).to.deep.equal([...signs.map((sign) => `'${sign}1`), '-1', '']);
  });
});
