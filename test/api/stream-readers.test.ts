/** How event streams read the changes log, and when they end. F23 is a failure described in docs/failures.md. */
import { mock } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { issueToken } from '#shared/security/tokens.ts';
import type { Actor } from '../../api/http/auth/authenticate.ts';
import { sseFrames } from '../../api/realtime/sse-frames.ts';
import { anApi, type Caller } from '../support/api.ts';
import { appendChanges, appendWithoutNotice, numberedChanges } from '../support/append-changes.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';
import { aSlowReader } from '../support/slow-readers.ts';
import { eventNumbers, numbersBelow, openStream } from '../support/stream-client.ts';
import { waitUntil } from '../support/wait-until.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

/** Returns the megabytes of memory in use after a garbage collection. */
const memoryInUse = (): number => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
};

describe('Event stream connections', () => {
  let fixture: ProjectFixture;
  let projectId: string;
  /** The cursor after the events of the project's creation. */
  let start: string;

  const open = (caller: Caller = fixture.agent, options = {}) => openStream(caller, projectId, options);

  beforeEach(async () => {
    fixture = await aProject();
    projectId = fixture.project.id;
    start = (await relayedChanges(projectId)).at(-1)?.position ?? '0';
  });

  it('a stream delivers events even if the API process receives no notification of them', async () => {
    const stream = await open();
    await stream.frame();
    await appendWithoutNotice(projectId, numberedChanges(2));
    expect(eventNumbers(await stream.take(2))).to.deep.equal([0, 1]);
    stream.disconnect();
  });

  it('one new event causes one database read for all streams of its project', async () => {
    const streams = await Promise.all(numbersBelow(20).map(() => open()));
    await Promise.all(streams.map((stream) => stream.frame()));
    await appendChanges(projectId, ...numberedChanges(1));
    await Promise.all(streams.map((stream) => stream.next()));
    const commands = await commandsDuring(async () => {
      await appendChanges(projectId, ...numberedChanges(1));
      await Promise.all(streams.map((stream) => stream.next()));
    });
    const reads = (commands as { find?: string }[]).filter(({ find }) => find === 'changes');
    expect(reads).to.have.lengthOf(1);
    for (const stream of streams) stream.disconnect();
  });

  it('an idle stream sends a keep-alive comment with the cursor every 15 seconds', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const stream = await open();
      const greeting = await stream.frame();
      for (const _ of numbersBelow(2)) {
        mock.timers.tick(15_000);
        expect(await stream.frame()).to.deep.equal({ comment: '', id: greeting?.id });
      }
      stream.disconnect();
    } finally {
      mock.timers.reset();
    }
  });

  it('a stream ends when its token expires', async () => {
    const token = issueToken('guest', { _id: fixture.guest.id }, 1);
    const stream = await open({ id: fixture.guest.id, authorization: `JWT ${token}` });
    let ended = false;
    const reading = (async () => {
      while (await stream.next());
      ended = true;
    })();
    while (!ended) await appendChanges(projectId, { visitor: fixture.guest.id, visitor_payload: {} });
    await reading;
    const again = await open({ id: fixture.guest.id, authorization: `JWT ${token}` });
    expect(again.status).to.equal(401);
  });

  it('a stream ends when the role of its actor becomes insufficient', async () => {
    const agent: Actor = { kind: 'user', id: fixture.agent.id, role: 'agent' };
    let role: Actor['role'] = 'agent';
    const frames = sseFrames(
      { actor: agent, project: projectId, after: start },
      { signal: new AbortController().signal, reauthorize: async () => ({ ...agent, role }) },
    );
    await frames.next();
    await appendChanges(projectId, ...numberedChanges(1));
    expect((await frames.next()).value).to.include('"n":0');
    role = 'user';
    await appendChanges(projectId, ...numberedChanges(1));
    expect((await frames.next()).done).to.equal(true);
  });

  it('F23: a stream to a slow reader buffers only a small part of the events', async () => {
    const count = 60;
    const url = await anApi();
    const lateClient = await open(fixture.agent, { after: start });
    const readers = await Promise.all(
      numbersBelow(12).map(() => aSlowReader(url, { caller: fixture.agent, project: projectId })),
    );
    const before = memoryInUse();
    const padding = 'x'.repeat(100_000);
    for (const _ of numbersBelow(count / 10))
      await appendChanges(projectId, ...numbersBelow(10).map(() => ({ payload: { padding } })));
    const fast = await open(fixture.agent, { after: start });
    await fast.take(count);
    // Buffered for each reader, the events would occupy 72 MB.
    await waitUntil(() => memoryInUse() - before < 32);
    const cursors = (await lateClient.take(count)).map(({ id }) => id);
    expect(new Set(cursors).size).to.equal(count);
    expect(cursors).to.deep.equal(cursors.toSorted());
    for (const stream of [lateClient, fast]) stream.disconnect();
    for (const reader of readers) reader.destroy();
  });
});
