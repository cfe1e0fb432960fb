import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { ulid } from 'ulid';
import { relayState } from '#shared/domain/events/relay-lease.ts';
import { removeNamespace } from '#shared/domain/knowledge/deletions.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { Change, GAP_PROJECT } from '#shared/models/change.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { RelayState } from '#shared/models/relay-state.ts';
import { currentTimeMs, setClock } from '#shared/time/clock.ts';
import { logsDuring } from '../support/capture-logs.ts';
import { readLog, relayedChanges, waitForRelay } from '../support/changes-log.ts';
import { aDedicatedDatabase } from '../support/dedicated-database.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { startRelayOnce, stopRelay } from '../support/relay.ts';
import { aTemporaryFolder } from '../support/temporary-folder.ts';
import { useDatabase } from '../support/use-database.ts';
import { waitUntil } from '../support/wait-until.ts';

/** An oplog of one megabyte, which is truncated once per second, after its entries have been written to disk. */
const TINY_OPLOG = ['--oplogSize', '1', '--syncdelay', '1'];
const FILLER = times(20, () => ({ text: 'x'.repeat(10_000) }));

const oldestEntry = async (): Promise<number> => {
  const first = { find: 'oplog.rs', sort: { $natural: 1 }, limit: 1, projection: { ts: 1 } };
  const { cursor } = await mongoose.connection.getClient().db('local').command(first);
  return cursor.firstBatch[0].ts.high * 1000;
};

const outgrowOplog = async (): Promise<void> => {
  const stopped = (await relayState())?.relayedUntil?.getTime() ?? 0;
  await waitUntil(async () => {
    await mongoose.connection.db?.command({ insert: 'filler', documents: FILLER });
    return (await oldestEntry()) > stopped + 1000;
  });
};

/** Starts the relay and waits until it has relayed the last event of each changed record. */
const waitForResync = async (): Promise<void> => {
  const stopped = (await relayState())?.relayedUntil ?? 0;
  startRelayOnce();
  await waitUntil(async () => ((await relayState())?.relayedUntil ?? 0) > stopped);
};

describe('Relay after a gap in the oplog', function gap() {
  let folder: string;
  let mongod: Awaited<ReturnType<typeof aDedicatedDatabase>>;
  let restoreDatabase: () => Promise<void>;

  before(async () => {
    folder = await aTemporaryFolder('gap-');
    mongod = await aDedicatedDatabase('mongodb', join(folder, 'mongodb'), { more: TINY_OPLOG });
    restoreDatabase = await useDatabase(mongod.url);
  });
  after(async () => {
    await stopRelay();
    await restoreDatabase();
    await mongod.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('a running relay that lags by at least half of the oplog window logs an error', async () => {
    const id_project = (await aProject()).project.id;
    startRelayOnce();
    await relayedChanges(id_project);
    const logs = await logsDuring(async () => {
      // The MongoDB driver's next heartbeat sets the clock again. This may happen before the relay has compared the
      // clock with the time of the event, hence several attempts.
      for (const name of ['First', 'Second', 'Third']) {
        setClock(new Date(currentTimeMs() + 3_600_000));
        await namespaces.add(id_project, { name });
        await relayedChanges(id_project);
        setClock(new Date());
      }
    });
    expect(logs).to.contain('the relay lags by at least half of the oplog window');
  });

  it('a relay whose position is no longer in the oplog appends a gap entry to the changes log, relays the last event of each changed record, and continues', async () => {
    const id_project = (await aProject()).project.id;
    const [updated, deleted] = [
      await namespaces.add(id_project, { name: 'Kept' }),
      await namespaces.add(id_project, { name: 'Lost' }),
    ];
    const before = await relayedChanges(id_project);
    await stopRelay();
    for (const name of ['One', 'Two']) await namespaces.update(id_project, updated.id, { name });
    await removeNamespace(id_project, deleted.id);
    await KbNamespace.updateOne({ id_project, id: id_project }, { $set: { _events: '["no time"' } });
    await outgrowOplog();
    await waitForResync();
    await namespaces.update(id_project, updated.id, { name: 'Three' });
    await waitForRelay();

    const [gap, ...more] = await Change.find({ id_project: GAP_PROJECT }).lean();
    expect(more).to.deep.equal([]);
    expect(gap).to.include({ event: 'gap' });
    const log = await readLog(id_project);
    expect(log.slice(0, before.length)).to.deep.equal(before);
    const relayed = log.slice(before.length).map(({ event, payload }) => `${event} ${payload.name}`);
    expect(relayed.slice(0, -1)).to.have.members(['kb.namespace.update Two', 'kb.namespace.delete Lost']);
    expect(relayed.at(-1)).to.equal('kb.namespace.update Three');
    const positions = [...before, gap, ...log.slice(before.length)].map((entry) => String(entry?.position));
    expect(positions).to.deep.equal(positions.toSorted());
    expect(await KbNamespace.countDocuments({ id_project })).to.equal(2);
  });

  it('in a restored database, the relay appends a gap entry to the changes log and relays only the events that were not relayed before the backup', async () => {
    const id_project = (await aProject()).project.id;
    const { id } = await namespaces.add(id_project, { name: 'One' });
    const before = await relayedChanges(id_project);
    await stopRelay();
    await namespaces.update(id_project, id, { name: 'Two' });
    // Like `backup restore`, inserts a record that was changed long before the backup.
    const restored = { id: 'old', id_project, name: 'Old', preview_settings: {}, indexId: '' };
    const _events = JSON.stringify([ulid(Date.now() - 10 * 86_400_000), id_project, ['kb.namespace.update']]);
    await KbNamespace.collection.insertOne({ ...restored, _events });
    await RelayState.updateOne({}, { $unset: { token: 1, startTime: 1 } });
    await waitForResync();
    await waitForRelay();
    expect(await Change.countDocuments({ id_project: GAP_PROJECT })).to.equal(2);
    const added = (await readLog(id_project)).slice(before.length);
    expect(added.map(({ event, payload }) => `${event} ${payload.name}`)).to.deep.equal(['kb.namespace.update Two']);
  });
});
