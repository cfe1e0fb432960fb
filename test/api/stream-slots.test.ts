import { expect } from 'chai';
import { type Caller, call } from '../support/api.ts';
import { type ApiProcess, theLimitedApi } from '../support/api-process.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { aSlowReader } from '../support/slow-readers.ts';
import { openSocket } from '../support/socket-client.ts';
import { numbersBelow, openStream } from '../support/stream-client.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('Stream slots', () => {
  let api: ApiProcess;
  let project: string;
  let guest: Caller;
  let agent: Caller;

  before(async () => {
    api = await theLimitedApi();
  });
  beforeEach(async () => {
    const fixture = await aProject();
    ({ guest, agent } = fixture);
    project = fixture.project.id;
  });

  const open = (caller: Caller) => openStream(caller, project, { url: api.url });
  /** Opens a stream once the previously closed streams have freed their slots. */
  const openWhenFree = async (caller: Caller) => {
    let stream = await open(caller);
    await waitUntil(async () => {
      if (stream.status !== 200) stream = await open(caller);
      return stream.status === 200;
    });
    return stream;
  };
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
    const streams: Awaited<ReturnType<typeof open>>[] = []; // one of these may take a slot before the last socket does
    await waitUntil(async () => streams.push(await open(guest)) > 0 && streams.at(-1)?.status === 429);
    for (const socket of sockets) socket.resetAndDestroy();
    for (const stream of [await openWhenFree(guest), ...streams]) stream.disconnect();
    const { next } = (await changes(agent, 'wait=0')).body;
    const longPolls = () =>
      Promise.all(numbersBelow(5).map(async () => (await changes(agent, `after=${next}&wait=1`)).status));
    expect(await longPolls()).to.deep.equal([200, 200, 200, 200, 200]);
    expect(await longPolls()).to.deep.equal([200, 200, 200, 200, 200]);
  });

  it('a sixth socket of a caller is refused with 429', async () => {
    const openOne = () => openSocket(agent, { url: api.url });
    const sockets = await Promise.all(numbersBelow(6).map(openOne));
    expect(sockets.map(({ status }) => status)).to.have.members([101, 101, 101, 101, 101, 429]);
    sockets.find(({ status }) => status === 101)?.socket.terminate();
    await waitUntil(async () => {
      const socket = await openOne();
      sockets.push(socket);
      return socket.status === 101;
    });
    for (const { socket } of sockets) socket.terminate();
  });

  it('a network may hold 50 streams, and the 51st is refused with 429 until one of them is closed', async () => {
    const visitors = await Promise.all(numbersBelow(11).map(() => aVisitor(project)));
    const last = visitors.pop() as Caller;
    const streams = await Promise.all(visitors.flatMap((visitor) => numbersBelow(5).map(() => openWhenFree(visitor))));
    expect(streams).to.have.length(50);
    expect((await open(last)).status).to.equal(429);
    streams[0]?.disconnect();
    for (const stream of [await openWhenFree(last), ...streams]) stream.disconnect();
  });
});
