/** What a page that cannot be read now costs others, and what its content says meanwhile. */
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type World = Awaited<ReturnType<typeof aProject>>;

const busy: FakePage = { status: 503, headers: { 'retry-after': '240' } };
const page = (title: string): FakePage =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>The shop opens at nine in the morning and closes at six.</p></main></body></html>`;

const add = async ({ admin, project: { id } }: World, source: string): Promise<string> => {
  const body = { name: 'Page', type: 'url', source, content: '', namespace: id };
  const { status, text, body: added } = await api(admin).post(`/v3/${id}/kb`, body);
  expect(status, text).to.equal(200);
  return added.value._id;
};

const read = async ({ admin, project }: World, id: string) => (await api(admin).get(`/v3/${project.id}/kb/${id}`)).body;

/** Milliseconds from now until the next attempt. */
const wait = ({ waiting }: { waiting?: { next_attempt_at: string } }): number =>
  Date.parse(waiting?.next_attempt_at ?? '') - Date.now();

describe('A page that answers 503', () => {
  let site: Awaited<ReturnType<typeof aSite>>;
  let world: World;
  let other: World;

  beforeEach(async () => {
    [world, other] = await Promise.all([aProject(), aProject()]);
    site = await aSite({
      ...{ '/busy': busy, '/busy2': busy, '/busy3': busy, '/busy?page=2': busy },
      ...{ '/hours': page('Hours'), '/returns': page('Returns'), '/limited': { ...(busy as object), status: 429 } },
    });
  });
  afterEach(() => site.close());

  it('delays itself alone: the other pages of its host are indexed, for its own project and for others', async () => {
    const late = await add(world, site.url('/busy'));
    await runJobs();
    const others = [
      [world, await add(world, site.url('/hours'))],
      [other, await add(other, site.url('/returns'))],
    ] as const;
    await runJobs();
    for (const [whose, id] of others) expect((await read(whose, id)).status).to.equal(300);
    expect(await read(world, late)).to.include({ status: -1 });
  });

  it('leaves its content waiting with the reason and the time of the next attempt, which an event tells', async () => {
    const id = await add(world, site.url('/busy'));
    await runJobs();
    const content = await read(world, id);
    expect(content.waiting).to.include({ code: 'HTTP_503', message: 'The site answered 503.' });
    expect(content.waiting.hint).to.match(/^The site is busy/);
    expect(wait(content)).to.be.within(200_000, 240_000);
    const listed = await api(world.admin).get(`/v3/${world.project.id}/kb?namespace=${world.project.id}`);
    expect(listed.body.kbs[0].waiting).to.deep.equal(content.waiting);
    const told = (await changes(world.project.id)).filter(({ event }) => event === 'kb.content.waiting');
    expect(told.map(({ payload }) => String(payload._id))).to.deep.equal([id]);
  });

  it('no longer says that it waits once it was added again and read', async () => {
    const id = await add(world, site.url('/busy'));
    await runJobs();
    site.pages['/busy'] = page('Free again');
    await add(world, site.url('/busy'));
    expect(await read(world, id)).to.not.have.property('waiting');
    await runJobs();
    expect(await read(world, id))
      .to.include({ status: 300 })
      .and.not.have.property('waiting');
  });

  it('pauses the host for everybody as the third of three pages within a minute, and each waiting content says so', async () => {
    for (const path of ['/busy', '/busy2']) await add(world, site.url(path));
    await add(other, site.url('/busy3'));
    await runJobs();
    const id = await add(other, site.url('/hours'));
    await runJobs();
    const content = await read(other, id);
    expect(content.status).to.equal(-1);
    expect(content.waiting.code).to.equal('HOST_PAUSED');
    expect(content.waiting.message).to.include('three of its pages answered 503');
    expect(wait(content)).to.be.within(200_000, 240_000);
    expect(site.hits.get('/hours')).to.equal(undefined);
  });

  it('does not pause the host by itself however often it is added again', async () => {
    for (let count = 0; count < 4; count++) {
      await add(world, site.url('/busy'));
      await runJobs();
    }
    expect(site.hits.get('/busy')).to.equal(4);
    const id = await add(other, site.url('/hours'));
    await runJobs();
    expect((await read(other, id)).status).to.equal(300);
  });

  it('with 429 in its place pauses the host, and a content of another project says why it waits', async () => {
    await add(world, site.url('/limited'));
    await runJobs();
    const id = await add(other, site.url('/hours'));
    await runJobs();
    const content = await read(other, id);
    expect(content.waiting.code).to.equal('HOST_PAUSED');
    expect(content.waiting.message).to.include('429');
    expect(wait(content)).to.be.within(200_000, 240_000);
  });
});

describe('A server that does not speak HTTP', () => {
  const kinds: Record<string, (socket: Socket) => void> = {
    'a mail server': (socket) => void socket.write('220 mail.example.com ready\r\n'),
    'a Redis': (socket) => void socket.on('data', () => socket.end("-ERR wrong number of arguments for 'get'\r\n")),
    'a TLS port asked without TLS': (socket) =>
      void socket.on('data', () => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70]))),
    'a server that sends garbage': (socket) =>
      void socket.write(Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 7919) % 256))),
  };

  const aServer = async (behave: (socket: Socket) => void) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined)); // whoever left, left
      behave(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    return {
      port,
      close: () => {
        for (const socket of sockets) socket.destroy();
        server.close();
      },
    };
  };

  const failing = async (scheme: string, behave: (socket: Socket) => void) => {
    const world = await aProject();
    const server = await aServer(behave);
    const id = await add(world, `${scheme}://127.0.0.1:${server.port}/`);
    await runJobs();
    server.close();
    return read(world, id);
  };

  for (const [name, behave] of Object.entries(kinds))
    it(`is named as such: ${name}`, async () => {
      const { status, error } = await failing('http', behave);
      expect(status).to.equal(400);
      expect(error).to.include({ code: 'NOT_HTTP' });
      expect(error.message).to.match(/^The server at 127\.0\.0\.1:\d+ does not answer in valid HTTP\.$/);
      expect(error.hint).to.include('host and port');
    });

  it('is named as such by https:// where it has no TLS', async () => {
    const plain = (socket: Socket) => void socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const { status, error } = await failing('https', plain);
    expect(status).to.equal(400);
    expect(error).to.include({ code: 'NOT_HTTP' });
    expect(error.message).to.include('TLS');
    expect(error.hint).to.include('http://');
  });
});
