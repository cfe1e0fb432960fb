import { mock } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { issueToken } from '#shared/tokens.ts';
import type { Actor } from '../../api/http/actor.ts';
import { feed } from '../../api/realtime/feed.ts';
import { anApi, type Caller } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { changes } from '../support/changes.ts';
import { commandsDuring } from '../support/commands.ts';
import { append, appendQuietly, many } from '../support/log-entries.ts';
import { aProject } from '../support/people.ts';
import { aSlowReader } from '../support/slow-readers.ts';
import { numbers, openStream, upTo } from '../support/stream.ts';
import { until } from '../support/until.ts';

type World = Awaited<ReturnType<typeof aProject>>;

/** Megabytes in use, garbage left out. */
const inUse = (): number => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
};

describe('A stream', () => {
  let world: World;
  let pid: string;
  /** The cursor behind what making the project told. */
  let start: string;

  const open = (caller: Caller = world.agent, wanted = {}) => openStream(caller, pid, wanted);

  beforeEach(async () => {
    world = await aProject();
    pid = world.project.id;
    start = (await changes(pid)).at(-1)?.position ?? '0';
  });

  it('finds by itself what no nudge told of', async () => {
    const stream = await open();
    await stream.frame();
    await appendQuietly(pid, many(2));
    expect(numbers(await stream.take(2))).to.deep.equal([0, 1]);
    stream.leave();
  });

  it('asks the database once for all who follow', async () => {
    const streams = await Promise.all(upTo(20).map(() => open()));
    await Promise.all(streams.map((stream) => stream.frame()));
    await append(pid, ...many(1));
    await Promise.all(streams.map((stream) => stream.next()));
    const commands = await commandsDuring(async () => {
      await append(pid, ...many(1));
      await Promise.all(streams.map((stream) => stream.next()));
    });
    const reads = (commands as { find?: string }[]).filter(({ find }) => find === 'changes');
    expect(reads).to.have.lengthOf(1);
    for (const stream of streams) stream.leave();
  });

  it('says every 15 seconds that it lives, and the cursor, while nothing happens', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const stream = await open();
      const greeting = await stream.frame();
      for (const _ of upTo(2)) {
        mock.timers.tick(15_000);
        expect(await stream.frame()).to.deep.equal({ comment: '', id: greeting?.id });
      }
      stream.leave();
    } finally {
      mock.timers.reset();
    }
  });

  it('ends when the token does', async () => {
    const token = issueToken('guest', { _id: world.guest.id }, 1);
    const stream = await open({ id: world.guest.id, authorization: `JWT ${token}` });
    let ended = false;
    const reading = (async () => {
      while (await stream.next());
      ended = true;
    })();
    while (!ended) await append(pid, { visitor: world.guest.id, visitor_payload: {} });
    await reading;
    const again = await open({ id: world.guest.id, authorization: `JWT ${token}` });
    expect(again.status).to.equal(401);
  });

  it('ends when the role no longer reaches', async () => {
    const agent: Actor = { kind: 'user', id: world.agent.id, role: 'agent' };
    let role: Actor['role'] = 'agent';
    const frames = feed(
      { actor: agent, project: pid, after: start },
      { signal: new AbortController().signal, admitted: async () => ({ ...agent, role }) },
    );
    await frames.next();
    await append(pid, ...many(1));
    expect((await frames.next()).value).to.include('"n":0');
    role = 'user';
    await append(pid, ...many(1));
    expect((await frames.next()).done).to.equal(true);
  });

  it('waits for slow readers without holding more than a little for them (F23)', async () => {
    const count = 60;
    const url = await anApi();
    const late = await open(world.agent, { after: start });
    const readers = await Promise.all(upTo(12).map(() => aSlowReader(url, { caller: world.agent, project: pid })));
    const before = inUse();
    const padding = 'x'.repeat(100_000);
    for (const _ of upTo(count / 10)) await append(pid, ...upTo(10).map(() => ({ payload: { padding } })));
    await (await open(world.agent, { after: start })).take(count);
    // Held for each, they would be 72 MB for as long as nobody reads.
    await until(() => inUse() - before < 32);
    const cursors = (await late.take(count)).map(({ id }) => id);
    expect(new Set(cursors).size).to.equal(count);
    expect(cursors).to.deep.equal(cursors.toSorted());
    late.leave();
    for (const reader of readers) reader.destroy();
  });

  it('ends with the process, which ends at once (F11)', async () => {
    const process = await anApiProcess();
    const stream = await open(world.agent, { url: process.url });
    await append(pid, ...many(3));
    expect(numbers(await stream.take(3))).to.deep.equal([0, 1, 2]);
    const stopped = process.stop('SIGTERM');
    expect(await stream.next()).to.equal(undefined);
    expect(await stopped).to.equal(0);
  });
});
