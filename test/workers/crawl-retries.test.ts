/**
 * Pages that temporarily cannot be read: their effect on other pages, and what their contents report until the next
 * attempt.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const busyPage: FakePage = { status: 503, headers: { 'retry-after': '240' } };
const pageWithTitle = (title: string): FakePage =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>The shop opens at nine in the morning and closes at six.</p></main></body></html>`;

const addPage = async ({ admin, project: { id } }: ProjectFixture, source: string): Promise<string> => {
  const body = { name: 'Page', type: 'url', source, content: '', namespace: id };
  const { status, text, body: added } = await api(admin).post(`/v3/${id}/kb`, body);
  expect(status, text).to.equal(200);
  return added.value._id;
};

const readContent = async ({ admin, project }: ProjectFixture, id: string) =>
  (await api(admin).get(`/v3/${project.id}/kb/${id}`)).body;

/** Milliseconds from now until the next attempt. */
const msUntilAttempt = ({ waiting }: { waiting?: { next_attempt_at: string } }): number =>
  Date.parse(waiting?.next_attempt_at ?? '') - Date.now();

describe('Pages that return 503 or 429', () => {
  let site: Awaited<ReturnType<typeof aSite>>;
  let fixture: ProjectFixture;
  let other: ProjectFixture;

  beforeEach(async () => {
    [fixture, other] = await Promise.all([aProject(), aProject()]);
    site = await aSite({
      ...{ '/busy': busyPage, '/busy2': busyPage, '/busy3': busyPage, '/busy?page=2': busyPage },
      ...{
        '/hours': pageWithTitle('Hours'),
        '/returns': pageWithTitle('Returns'),
        '/limited': { ...(busyPage as object), status: 429 },
      },
    });
  });
  afterEach(() => site.close());

  it('a page that returns 503 does not delay the other pages of its host, in its project or in others', async () => {
    const late = await addPage(fixture, site.url('/busy'));
    await runJobs();
    const others = [
      [fixture, await addPage(fixture, site.url('/hours'))],
      [other, await addPage(other, site.url('/returns'))],
    ] as const;
    await runJobs();
    for (const [whose, id] of others) expect((await readContent(whose, id)).status).to.equal(300);
    expect(await readContent(fixture, late)).to.include({ status: -1 });
  });

  it('the content of a page that returns 503 reports why it waits and when it will be attempted next, and an event is emitted', async () => {
    const id = await addPage(fixture, site.url('/busy'));
    await runJobs();
    const content = await readContent(fixture, id);
    expect(content.waiting).to.include({ code: 'HTTP_503', message: 'The site returned 503.' });
    expect(content.waiting.hint).to.match(/^The site is busy/);
    expect(msUntilAttempt(content)).to.be.within(200_000, 240_000);
    const listed = await api(fixture.admin).get(`/v3/${fixture.project.id}/kb?namespace=${fixture.project.id}`);
    expect(listed.body.kbs[0].waiting).to.deep.equal(content.waiting);
    const waitingEvents = (await relayedChanges(fixture.project.id)).filter(
      ({ event }) => event === 'kb.content.waiting',
    );
    expect(waitingEvents.map(({ payload }) => String(payload._id))).to.deep.equal([id]);
  });

  it('a content stops reporting that it waits when it is added again', async () => {
    const id = await addPage(fixture, site.url('/busy'));
    await runJobs();
    site.pages['/busy'] = pageWithTitle('Free again');
    await addPage(fixture, site.url('/busy'));
    expect(await readContent(fixture, id)).to.not.have.property('waiting');
    await runJobs();
    expect(await readContent(fixture, id))
      .to.include({ status: 300 })
      .and.not.have.property('waiting');
  });

  it('three pages of a host that return 503 within a minute pause the host for all projects, and waiting contents report the pause', async () => {
    for (const path of ['/busy', '/busy2']) await addPage(fixture, site.url(path));
    await addPage(other, site.url('/busy3'));
    await runJobs();
    const id = await addPage(other, site.url('/hours'));
    await runJobs();
    const content = await readContent(other, id);
    expect(content.status).to.equal(-1);
    expect(content.waiting.code).to.equal('HOST_PAUSED');
    expect(content.waiting.message).to.include('three of its pages returned 503');
    expect(msUntilAttempt(content)).to.be.within(200_000, 240_000);
    expect(site.hits.get('/hours')).to.equal(undefined);
  });

  it('a single page that returns 503 does not pause the host, even if it is added again several times', async () => {
    for (let count = 0; count < 4; count++) {
      await addPage(fixture, site.url('/busy'));
      await runJobs();
    }
    expect(site.hits.get('/busy')).to.equal(4);
    const id = await addPage(other, site.url('/hours'));
    await runJobs();
    expect((await readContent(other, id)).status).to.equal(300);
  });

  it('a page that returns 429 pauses the host, and a content of another project reports why it waits', async () => {
    await addPage(fixture, site.url('/limited'));
    await runJobs();
    const id = await addPage(other, site.url('/hours'));
    await runJobs();
    const content = await readContent(other, id);
    expect(content.waiting.code).to.equal('HOST_PAUSED');
    expect(content.waiting.message).to.include('429');
    expect(msUntilAttempt(content)).to.be.within(200_000, 240_000);
  });
});

describe('Servers that do not speak HTTP', () => {
  const kinds: Record<string, (socket: Socket) => void> = {
    'a mail server': (socket) => void socket.write('220 mail.example.com ready\r\n'),
    'a Redis server': (socket) =>
      void socket.on('data', () => socket.end("-ERR wrong number of arguments for 'get'\r\n")),
    'a TLS port requested without TLS': (socket) =>
      void socket.on('data', () => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70]))),
    'a server that sends garbage': (socket) =>
      void socket.write(Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 7919) % 256))),
  };

  const aServer = async (behave: (socket: Socket) => void) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined)); // the client may have disconnected
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
    const fixture = await aProject();
    const server = await aServer(behave);
    const id = await addPage(fixture, `${scheme}://127.0.0.1:${server.port}/`);
    await runJobs();
    server.close();
    return readContent(fixture, id);
  };

  for (const [name, behave] of Object.entries(kinds))
    it(`a page at ${name} fails with INVALID_HTTP_RESPONSE`, async () => {
      const { status, error } = await failing('http', behave);
      expect(status).to.equal(400);
      expect(error).to.include({ code: 'INVALID_HTTP_RESPONSE' });
      expect(error.message).to.match(/^The server at 127\.0\.0\.1:\d+ does not respond with valid HTTP\.$/);
      expect(error.hint).to.include('host and port');
    });

  it('an https:// page of a server without TLS fails with INVALID_HTTP_RESPONSE', async () => {
    const plain = (socket: Socket) => void socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const { status, error } = await failing('https', plain);
    expect(status).to.equal(400);
    expect(error).to.include({ code: 'INVALID_HTTP_RESPONSE' });
    expect(error.message).to.include('TLS');
    expect(error.hint).to.include('http://');
  });
});
