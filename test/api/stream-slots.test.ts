import { expect } from 'chai';
import { call, type Caller } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { aSlowReader } from '../support/slow-readers.ts';
import { openStream, upTo } from '../support/stream.ts';
import { until } from '../support/until.ts';

type Process = Awaited<ReturnType<typeof anApiProcess>>;

describe('Streams and long waits', () => {
  let api: Process;
  /** Its network has the slots that are the default. */
  let crowded: Process;
  let project: string;
  let guest: Caller;
  let agent: Caller;

  before(async () => {
    const STREAMS_PER_PRINCIPAL = ''; // the default
    [api, crowded] = await Promise.all([
      anApiProcess({ STREAMS_PER_PRINCIPAL }),
      anApiProcess({ STREAMS_PER_PRINCIPAL, STREAMS_PER_NETWORK: '' }),
    ]);
  });
  after(() => Promise.all([api.stop('SIGKILL'), crowded.stop('SIGKILL')]));
  beforeEach(async () => {
    const world = await aProject();
    ({ guest, agent } = world);
    project = world.project.id;
  });

  const open = (caller: Caller, { url } = api) => openStream(caller, project, { url });
  const changes = ({ authorization }: Caller, query: string) =>
    call('GET', `${api.url}/v3/${project}/changes?${query}`, { headers: { authorization } });

  it('are at most 5 of a principal: the next one is answered 429 with Retry-After', async () => {
    const streams = await Promise.all(upTo(5).map(() => open(guest)));
    expect(streams.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
    const { next } = (await changes(guest, 'wait=0')).body;
    const refused = await changes(guest, `after=${next}&wait=1`);
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '5']);
    expect(refused.body).to.include({ code: 'TOO_MANY_STREAMS', retry_after: 5 });
    expect((await open(guest)).status).to.equal(429);
    const others = await open(agent);
    expect(others.status).to.equal(200);
    for (const stream of [...streams, others]) stream.leave();
  });

  it('are free again once the caller leaves, and once a wait is over', async () => {
    const sockets = await Promise.all(upTo(5).map(() => aSlowReader(api.url, { caller: guest, project })));
    await until(async () => (await open(guest)).status === 429);
    for (const socket of sockets) socket.resetAndDestroy();
    await until(async () => {
      const stream = await open(guest);
      stream.leave();
      return stream.status === 200;
    });
    const { next } = (await changes(agent, 'wait=0')).body;
    const waits = () => Promise.all(upTo(5).map(async () => (await changes(agent, `after=${next}&wait=1`)).status));
    expect(await waits()).to.deep.equal([200, 200, 200, 200, 200]);
    expect(await waits()).to.deep.equal([200, 200, 200, 200, 200]);
  });

  it('are at most 50 of a network', async () => {
    const visitors = await Promise.all(upTo(11).map(() => aVisitor(project)));
    const last = visitors.pop() as Caller;
    const streams = await Promise.all(visitors.flatMap((visitor) => upTo(5).map(() => open(visitor, crowded))));
    expect(new Set(streams.map(({ status }) => status))).to.deep.equal(new Set([200]));
    const { status } = await open(last, crowded);
    expect(status).to.equal(429);
    streams[0]?.leave();
    await until(async () => (await open(last, crowded)).status === 200);
    for (const stream of streams) stream.leave();
  });
});
