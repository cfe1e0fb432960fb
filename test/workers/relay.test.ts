import { expect } from 'chai';
import { bytesToday } from '#shared/budgets/project-bytes.ts';
import { inTransaction } from '#shared/database/connection.ts';
import { emits } from '#shared/events.ts';
import { relayState } from '#shared/domain/events/relay-lease.ts';
import { removeNamespace } from '#shared/domain/knowledge/deletions.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { Outbox } from '#shared/models/outbox.ts';
import { type CommittedWrite, openStream } from '../../workers/relay/change-stream.ts';
import { relayBatch } from '../../workers/relay/relay-batch.ts';
import { relayedChanges } from '../support/changes-log.ts';
import {
  type ChangesLog,
  countEvents,
  expectOrderedWithoutDuplicates,
  storeContentsWithoutEvents,
  storeManyWithoutEvents,
} from '../support/event-expectations.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { startRelayOnce, stopRelay } from '../support/relay.ts';

const INDEXED_EVENT = emits('kb.content.indexed');
const UPDATED_EVENT = emits('kb.namespace.update');

const aNamespace = async () => {
  const id_project = (await aProject()).project.id;
  const { id } = await namespaces.add(id_project, { name: 'Name' });
  const own = { id_project, id };
  const record = String((await KbNamespace.findOne(own).lean())?._id);
  return { id_project, own, record };
};

const namesIn = (log: ChangesLog, record: string) =>
  log.filter((entry) => entry.record === record).map(({ event }) => event.replace('kb.namespace.', ''));

describe('Relay of events', () => {
  it('five quick updates of one record are relayed once each and in order', async () => {
    const { id_project, own, record } = await aNamespace();
    for (const index of times(5, Number))
      await KbNamespace.updateOne(own, { $set: { name: `n${index % 2}` } }, UPDATED_EVENT);
    const log = await relayedChanges(id_project);
    expect(namesIn(log, record)).to.deep.equal(['create', ...times(5, () => 'update')]);
    expect(log.at(-1)).to.deep.include({ record, revision: 5 });
    expect(log.at(-1)?.payload).to.deep.include({ id: own.id, name: 'n0' }).and.include.keys('engine', 'embedding');
    expectOrderedWithoutDuplicates(log);
  });

  it('updates with a pipeline, which MongoDB may log as a replacement of the record, are relayed once each', async () => {
    const { id_project, own, record } = await aNamespace();
    const more = Object.fromEntries(times(200, (index) => [`field_number_${index}`, index]));
    const add = [{ $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: more }] } }];
    const remove = [{ $unset: Object.keys(more) }]; // removes more fields than remain
    await KbNamespace.updateOne(own, add, { ...UPDATED_EVENT, updatePipeline: true });
    await KbNamespace.updateOne(own, remove, { updatePipeline: true });
    await KbNamespace.updateOne(own, add, { ...UPDATED_EVENT, updatePipeline: true });
    await KbNamespace.updateOne(own, remove, { ...UPDATED_EVENT, updatePipeline: true });
    expect(namesIn(await relayedChanges(id_project), record)).to.deep.equal(['create', 'update', 'update', 'update']);
  });

  it('events of a deleted record are relayed with the payload of its deletion event, or with gone: true if there is none', async () => {
    await stopRelay();
    const [removed, removedWithoutEvent] = await Promise.all([aNamespace(), aNamespace()]);
    for (const { own } of [removed, removedWithoutEvent])
      await KbNamespace.updateOne(own, { $set: { name: 'Late' } }, UPDATED_EVENT);
    await removeNamespace(removed.id_project, removed.own.id);
    await KbNamespace.deleteOne(removedWithoutEvent.own);
    const log = (await relayedChanges(removed.id_project)).filter(({ record }) => record === removed.record);
    expect(namesIn(log, removed.record)).to.deep.equal(['create', 'update', 'delete']);
    for (const { payload } of log) expect(payload).to.include({ id: removed.own.id, name: 'Late' });
    const [last] = (await relayedChanges(removedWithoutEvent.id_project)).slice(-1);
    expect(last).to.deep.include({
      record: removedWithoutEvent.record,
      payload: { _id: removedWithoutEvent.record, gone: true },
    });
  });

  it('the events of a transaction that writes four records are relayed once each and in order', async () => {
    const id_project = (await aProject()).project.id;
    const ids = await storeContentsWithoutEvents(id_project, 3);
    await inTransaction(async (session) => {
      for (const _id of ids)
        await KbContent.updateOne({ _id, id_project }, { $set: { name: 'All' } }, { ...INDEXED_EVENT, session });
      await Outbox.create([{ id_project, record: id_project, view: { ids } }], {
        ...emits('kb.namespace.update'),
        session,
      });
    });
    const log = (await relayedChanges(id_project)).slice(-4);
    expect(log.map(({ record }) => record)).to.deep.equal([...ids, id_project]);
    expect(log.at(-1)?.payload).to.deep.equal({ ids });
  });

  it('events are relayed once and in order while 10,000 records without events are stored', async function meanwhile() {
    const { id_project, own, record } = await aNamespace();
    const ids = await storeContentsWithoutEvents(id_project, 1000, 'content');
    const otherProject = (await aProject()).project.id;
    startRelayOnce();
    const flood = storeManyWithoutEvents(otherProject, 10_000);
    await KbContent.updateMany({ id_project }, { $set: { name: 'Renamed' } }, INDEXED_EVENT);
    for (const index of times(100, Number))
      await KbNamespace.updateOne(own, { $set: { name: `n${index}` } }, UPDATED_EVENT);
    await KbContent.deleteMany({ id_project, _id: { $in: ids.slice(0, 10) } });
    await flood;
    expect(await KbContent.countDocuments({ id_project: otherProject })).to.equal(10_001);
    const log = await relayedChanges(id_project);
    expectOrderedWithoutDuplicates(log);
    expect(countEvents(log, 'kb.content.indexed')).to.deep.equal(Object.fromEntries(ids.map((id) => [id, 1])));
    expect(countEvents(log, 'kb.namespace.update')).to.deep.equal({ [record]: 100 });
    expect((await relayedChanges(otherProject)).map(({ event }) => event)).to.deep.equal([
      'project.create',
      'projectuser.create',
    ]);
    console.log(`      lag of the last 1,000 events, in milliseconds: ${JSON.stringify((await relayState())?.lag)}`);
  });
});

describe('Bytes that the relay counts against the daily byte budget', () => {
  const bytesOf = (id_project: string) =>
    bytesToday(Number.POSITIVE_INFINITY).largest.find(([project]) => project === id_project)?.[1] ?? 0;

  /** Updates three contents while no relay runs. Returns the writes, whose events have the same size. */
  const threeWrites = async (id_project: string): Promise<CommittedWrite[]> => {
    const ids = await storeContentsWithoutEvents(id_project, 3);
    const stream = await openStream({});
    for (const _id of ids) await KbContent.updateOne({ _id, id_project }, { $set: { name: 'Renamed' } }, INDEXED_EVENT);
    const writes: CommittedWrite[] = [];
    while (writes.length < ids.length)
      writes.push(...(await stream.next()).writes.filter(({ record }) => ids.includes(String(record))));
    await stream.close();
    return writes;
  };

  it('an entry is counted when it is appended, and not when it is skipped because it is already in the log', async () => {
    await stopRelay();
    const id_project = (await aProject()).project.id;
    const writes = await threeWrites(id_project);
    await relayBatch(writes.slice(1, 2));
    const bytes = bytesOf(id_project);
    expect(bytes).to.be.greaterThan(0);
    for (const batch of [writes, writes]) {
      await relayBatch(batch);
      expect(bytesOf(id_project)).to.equal(3 * bytes);
    }
  });
});
