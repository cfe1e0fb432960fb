import { expect } from 'chai';
import { type Caller, call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { aSlowReader } from '../support/slow-readers.ts';
import { numbersBelow, openStream } from '../support/stream-client.ts';
import { waitUntil } from '../support/wait-until.ts';

type ApiProcess = Awaited<ReturnType<typeof anApiProcess>>;

describe('Stream slots', () => {
  let api: ApiProcess;
  /** A process with the default number of slots per network. */
  let crowded: ApiProcess;
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
    const fixture = await aProject();
    ({ guest, agent } = fixture);
    project = fixture.project.id;
  });

  const open = (caller: Caller, { url } = api) => openStream(caller, project, { url });
  const changes = ({ authorization }: Caller, query: string) =>
    call('GET', `${api.url}/v3/${project}/changes?${query}`, { headers: { authorization } });

  it('an actor may hold 5 streams and long polls in total, and the sixth is refused with 429 and Retry-After', async () => {
    const streams = await Promise.all(numbersBelow(5).map(() => open(guest)));
    expect(streams.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
    const { next } = (await changes(guest, 'wait=0')).body;
    const refused = await changes(guest, `after=${next}&wait=1`);
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '5']);
    expect(refused.body).to.include({ code: 'TOO_MANY_STREAMS', retry_after: 5 });
    expect((await open(guest)).status).to.equal(429);
    const others = await open(agent);
    expect(others.status).to.equal(200);
    for (const stream of [...streams, others]) stream.disconnect();
  });

  it('a stream slot is freed when the client disconnects or the long poll ends', async () => {
    const sockets = await Promise.all(numbersBelow(5).map(() => aSlowReader(api.url, { caller: guest, project })));
    await waitUntil(async () => (await open(guest)).status === 429);
    for (const socket of sockets) socket.resetAndDestroy();
    await waitUntil(async () => {
      const stream = await open(guest);
      stream.disconnect();
      return stream.status === 200;
    });
    const { next } = (await changes(agent, 'wait=0')).body;
    const longPolls = () =>
      Promise.all(numbersBelow(5).map(async () => (await changes(agent, `after=${next}&wait=1`)).status));
    expect(await longPolls()).to.deep.equal([200, 200, 200, 200, 200]);
    expect(await longPolls()).to.deep.equal([200, 200, 200, 200, 200]);
  });

  it('a network may hold 50 streams, and another one is refused with 429 until one is closed', async () => {
    const visitors = await Promise.all(numbersBelow(11).map(() => aVisitor(project)));
    const last = visitors.pop() as Caller;
    const streams = await Promise.all(visitors.flatMap((visitor) => numbersBelow(5).map(() => open(visitor, crowded))));
    expect(new Set(streams.map(({ status }) => status))).to.deep.equal(new Set([200]));
    const { status } = await open(last, crowded);
    expect(status).to.equal(429);
    streams[0]?.disconnect();
    await waitUntil(async () => (await open(last, crowded)).status === 200);
    for (const stream of streams) stream.disconnect();
  });
});
