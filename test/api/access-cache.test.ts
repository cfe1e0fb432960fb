/** Caches of the records that authenticate callers, and the log of access changes, which invalidates their entries. */
import { mock } from 'node:test';
import { expect } from 'chai';
import mongoose, { mongo } from 'mongoose';
import { AccessCache, recordAccessChange } from '#shared/domain/access/access-changes.ts';
import { inTransaction } from '#shared/database/connection.ts';
import { setClock } from '#shared/time/clock.ts';
import { api } from '../support/api.ts';
import { commandsDuring, waitForAccessPoll } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Collections whose records are read to authenticate a caller. */
const IDENTITY_COLLECTIONS = ['users', 'project_users', 'projects', 'tokens', 'bots', 'subscriptions', 'keys'];
const POLL_MS = 250;
const HOUR_MS = 3_600_000;
const LATE_MS = 2000;
/**
 * How long after the access change the value is used: longer than the 90 s by which successive reads of the
 * access-changes log overlap, so that a read of only the last 90 s would miss the change, and shorter than the 600 s
 * after which a cached value expires.
 */
const LATER_MS = 200_000;
/** Longer than 750 ms: a cache serves a value only if it has read the access changes within the last 750 ms. */
const BLOCK_MS = 800;

type Command = Record<string, unknown>;

const findCommandsOn = (commands: unknown[], names: string[]): string[] =>
  (commands as Command[]).map(({ find }) => String(find)).filter((name) => names.includes(name));

/** Blocks the thread without using CPU time. */
const blockEventLoop = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Delays the event loop for `ms` milliseconds: each of its iterations takes at least `BLOCK_MS`. */
const keepLoopLate = async (ms: number): Promise<void> => {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    blockEventLoop(BLOCK_MS);
    await new Promise(setImmediate);
  }
};

describe('Access cache', () => {
  it('a full cache keeps its other entries when the value of an existing key is replaced', async () => {
    const cache = new AccessCache<number>(2);
    const load = (key: string, value: number) => cache.load(key, async () => ({ value, accessKeys: [] }));
    await load('first', 1);
    await load('second', 2);
    await load('second', 3);
    expect([await cache.get('first'), await cache.get('second')]).to.deep.equal([1, 3]);
  });

  it('the election of another MongoDB primary empties the cache, because the election may undo writes that the cache has read', async () => {
    const cache = new AccessCache<number>(1);
    const client = mongoose.connection.getClient();
    const elect = (electionId: mongo.ObjectId) => {
      const primary = { type: 'RSPrimary', setVersion: 1, electionId };
      client.emit('topologyDescriptionChanged', { newDescription: { servers: new Map([['', primary]]) } } as never);
    };
    const election = new mongo.ObjectId();
    elect(election);
    await cache.load('key', async () => ({ value: 1, accessKeys: [] }));
    elect(election);
    expect(await cache.get('key')).to.equal(1);
    elect(new mongo.ObjectId());
    expect(await cache.get('key')).to.equal(undefined);
  });

  it('a process that does not poll the access-changes log drops a cached value after an access change, however late the value is used', async () => {
    const module = new URL('../../shared/domain/access/access-changes.ts?without-polling', import.meta.url).href;
    const unpolled = (await import(module)) as { AccessCache: typeof AccessCache };
    const cache = new unpolled.AccessCache<number>(1);
    const accessKeys = ['user of-a-worker'];
    await cache.load('key', async () => ({ value: 1, accessKeys }));
    await inTransaction((session) => recordAccessChange({ user: 'of-a-worker' }, session));
    try {
      setClock(new Date(Date.now() + LATER_MS));
      expect(await cache.get('key')).to.equal(undefined);
    } finally {
      setClock(new Date());
    }
  });

  it('an access change that is recorded by a host whose clock is an hour ahead or behind drops the cached value', async () => {
    const module = new URL('../../shared/domain/access/access-changes.ts?other-host', import.meta.url).href;
    const otherHost = (await import(module)) as { recordAccessChange: typeof recordAccessChange };
    for (const offsetMs of [HOUR_MS, -HOUR_MS]) {
      const cache = new AccessCache<number>(1);
      await cache.load('key', async () => ({ value: 1, accessKeys: [`user of-a-host ${offsetMs}`] }));
      mock.timers.enable({ apis: ['Date'], now: Date.now() + offsetMs });
      const record = (session: mongo.ClientSession) =>
        otherHost.recordAccessChange({ user: `of-a-host ${offsetMs}` }, session);
      await inTransaction(record).finally(() => mock.timers.reset());
      blockEventLoop(BLOCK_MS);
      expect(await cache.get('key')).to.equal(undefined);
    }
  });

  it('while the event loop is delayed, calls by callers whose identity is cached read no identity records, and add at most one read of the access-changes log per 750 ms', async () => {
    const { project, owner, agent, guest } = await aProject();
    const path = `/v3/${project.id}/changes`;
    const callAll = () => Promise.all([owner, agent, guest].flatMap((one) => [1, 2, 3].map(() => api(one).get(path))));
    await callAll(); // starts the API
    await waitForAccessPoll();
    await waitUntil(async () => !findCommandsOn(await commandsDuring(callAll), IDENTITY_COLLECTIONS).length);
    const statuses: number[] = [];
    let durationMs = 0;
    const commands = await commandsDuring(
      async () => {
        const startedAt = performance.now();
        const calls = Array.from({ length: 10 }, async () => {
          for (const { status } of await callAll()) statuses.push(status);
        });
        await keepLoopLate(LATE_MS);
        await Promise.all(calls);
        durationMs = performance.now() - startedAt;
      },
      { includePeriodic: true },
    );
    expect(statuses).to.have.lengthOf(90);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(findCommandsOn(commands, IDENTITY_COLLECTIONS)).to.deep.equal([]);
    // The poller reads once per `POLL_MS`. The calls add at most one read per 750 ms.
    const maxReads = durationMs / POLL_MS + durationMs / 750 + 2;
    expect(findCommandsOn(commands, ['access_changes']).length).to.be.within(1, maxReads);
  });
});
