/** The lease of the relay, including when the clocks of hosts differ (F18: docs/failures.md). */
import { setTimeout as sleep } from 'node:timers/promises';
import { mock } from 'node:test';
import { expect } from 'chai';
import { ulid } from 'ulid';
import { emits } from '#shared/events.ts';
import { acquireLease, relayState, releaseLease, renewLease } from '#shared/domain/events/relay-lease.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { Change } from '#shared/models/change.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { RelayState } from '#shared/models/relay-state.ts';
import { startRelay } from '../../workers/relay/relay.ts';
import { createRenewalSchedule, LEASE_RENEW_MS } from '../../workers/relay/renewal-schedule.ts';
import { readLog, waitForRelay } from '../support/changes-log.ts';
import { expectOrderedWithoutDuplicates } from '../support/event-expectations.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { stopRelay } from '../support/relay.ts';
import { waitUntil } from '../support/wait-until.ts';

const UPDATE_COUNT = 200;

/**
 * Polls the log for entries after the last position that it has read. Returns a function that stops polling and returns
 * the ids in the order in which they were read.
 */
const aLogReader = (id_project: string) => {
  const readIds: string[] = [];
  let stopped = false;
  const readAfter = async (cursor: string): Promise<string> => {
    const changes = await Change.find({ id_project, position: { $gt: cursor } })
      .sort({ position: 1 })
      .lean();
    readIds.push(...changes.map(({ _id }) => _id));
    return changes.at(-1)?.position ?? cursor;
  };
  const following = (async () => {
    for (let cursor = ''; !stopped; await sleep(1)) cursor = await readAfter(cursor);
  })();
  return async (): Promise<string[]> => {
    stopped = true;
    await following;
    return readIds;
  };
};

describe('Relay lease', () => {
  it('several relays that assume that they hold the lease append every event exactly once, and no reader misses an event', async () => {
    await stopRelay();
    const id_project = (await aProject()).project.id;
    const { id } = await namespaces.add(id_project, { name: 'Name' });
    const before = (await relayState())?.epoch ?? 0;
    const relays = times(3, () => startRelay(ulid()));
    const stop = aLogReader(id_project);
    for (const index of times(UPDATE_COUNT, Number)) {
      await KbNamespace.updateOne({ id_project, id }, { $set: { name: `n${index}` } }, emits('kb.namespace.update'));
      if (index % 10 === 0) await RelayState.updateOne({ _id: 'relay' }, { $set: { leaseUntil: new Date(0) } });
    }
    await waitUntil(async () => {
      await RelayState.updateOne({ _id: 'relay' }, { $set: { leaseUntil: new Date(0) } });
      return ((await relayState())?.epoch ?? 0) > before + 1;
    });
    await waitForRelay();
    await Promise.all(relays.map((relay) => relay.stop()));
    const log = await readLog(id_project);
    expectOrderedWithoutDuplicates(log);
    const updates = log.filter(({ event }) => event === 'kb.namespace.update');
    expect(updates.map(({ revision }) => revision)).to.deep.equal(times(UPDATE_COUNT, (index) => index + 1));
    expect((await stop()).slice(-UPDATE_COUNT)).to.deep.equal(updates.map(({ _id }) => _id));
  });

  it('F18: a process whose clock is an hour ahead or behind does not take the lease of another process', async () => {
    await stopRelay();
    const lease = await acquireLease('one');
    for (const offsetMs of [3_600_000, -3_600_000]) {
      mock.timers.enable({ apis: ['Date'], now: Date.now() + offsetMs });
      const taken = await acquireLease('other').finally(() => mock.timers.reset());
      expect(taken).to.equal(null);
    }
    await releaseLease(lease as NonNullable<typeof lease>);
    mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 });
    const next = await acquireLease('other').finally(() => mock.timers.reset());
    expect(next?.epoch).to.be.greaterThan(lease?.epoch ?? 0);
    await releaseLease(next as NonNullable<typeof next>);
  });

  it('a renewal tells the holder of the lease whether another process waits for the lease', async () => {
    await stopRelay();
    await RelayState.updateOne({ _id: 'relay' }, { $unset: { waitedAt: 1 } });
    const lease = (await acquireLease('one')) as NonNullable<Awaited<ReturnType<typeof acquireLease>>>;
    expect(await renewLease(lease, {})).to.deep.equal({ isContested: false });
    expect(await acquireLease('other')).to.equal(null);
    expect(await renewLease(lease, {})).to.deep.equal({ isContested: true });
    await releaseLease(lease);
    await releaseLease((await acquireLease('other')) as typeof lease);
    expect(await renewLease(lease, {}), 'the lease of another process').to.equal(null);
  });

  it('a renewal of the lease is due every LEASE_RENEW_MS while another process waits, and otherwise seldom', () => {
    const CHECKS = 100;
    const countRenewals = (isContested: boolean): number => {
      let nowMs = 0;
      const schedule = createRenewalSchedule(() => nowMs);
      return times(CHECKS, () => {
        nowMs += LEASE_RENEW_MS;
        const isDue = schedule.isDue();
        if (isDue) schedule.markRenewed({ isContested });
        return isDue;
      }).filter(Boolean).length;
    };
    expect(countRenewals(true)).to.equal(CHECKS);
    expect(countRenewals(false)).to.be.below(CHECKS / 3);
  });

  it('a stopped relay releases its lease immediately, and the lease of the next relay has a higher number (epoch)', async () => {
    const first = startRelay(ulid());
    await waitForRelay();
    const { epoch = 0 } = (await relayState()) ?? {};
    const second = startRelay(ulid());
    await first.stop();
    await waitForRelay();
    expect((await relayState())?.epoch).to.be.greaterThan(epoch);
    await second.stop();
  });

  it('the relay stores its resume token even while there are no events, so that the token does not expire', async () => {
    const relay = startRelay(ulid());
    await waitForRelay();
    const resumeToken = async () => JSON.stringify((await RelayState.findById('relay').lean())?.token);
    const before = await resumeToken();
    await waitUntil(async () => (await resumeToken()) > before);
    await relay.stop();
  });
});
