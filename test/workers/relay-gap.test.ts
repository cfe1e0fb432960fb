import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import mongoose from 'mongoose';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { state } from '#shared/domain/events/relay.ts';
import { Change, EVERYBODY } from '#shared/models/change.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { caughtUp, changes, logged } from '../support/changes.ts';
import { moveTo } from '../support/elsewhere.ts';
import { anOwnDatabase } from '../support/own-database.ts';
import { aProject } from '../support/people.ts';
import { relaying, stopRelaying } from '../support/relay.ts';
import { times } from '../support/stage.ts';
import { until } from '../support/until.ts';

/** One megabyte of log, cut off as soon as it is on disk. */
const TINY = ['--oplogSize', '1', '--syncdelay', '1'];
const FILLER = times(20, () => ({ text: 'x'.repeat(10_000) }));

const oldestEntry = async (): Promise<number> => {
  const first = { find: 'oplog.rs', sort: { $natural: 1 }, limit: 1, projection: { ts: 1 } };
  const { cursor } = await mongoose.connection.getClient().db('local').command(first);
  return cursor.firstBatch[0].ts.high * 1000;
};

const outgrowTheLog = async (): Promise<void> => {
  const stopped = (await state())?.complete?.getTime() ?? 0;
  await until(async () => {
    await mongoose.connection.db?.command({ insert: 'filler', documents: FILLER });
    return (await oldestEntry()) > stopped + 1000;
  }, 30);
};

/** The log is followed again: all that could be told again has been. */
const relayedAgain = async (): Promise<void> => {
  const stopped = (await state())?.complete ?? 0;
  relaying();
  await until(async () => ((await state())?.complete ?? 0) > stopped, 30);
};

describe("A relay that stood still for longer than MongoDB's log reaches back", function gap() {
  this.timeout(60_000);
  let folder: string;
  let own: Awaited<ReturnType<typeof anOwnDatabase>>;
  let goBack: () => Promise<void>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gap-'));
    own = await anOwnDatabase('mongodb', join(folder, 'mongodb'), TINY);
    goBack = await moveTo(own.url);
  });
  after(async () => {
    await stopRelaying();
    await goBack();
    await own.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('writes the gap for everybody to list anew, tells again what can be known, and goes on', async () => {
    const id_project = (await aProject()).project.id;
    const [kept, lost] = [
      await namespaces.add(id_project, { name: 'Kept' }),
      await namespaces.add(id_project, { name: 'Lost' }),
    ];
    const before = await changes(id_project);
    await stopRelaying();
    for (const name of ['One', 'Two']) await namespaces.update(id_project, kept.id, { name });
    await namespaces.remove(id_project, lost.id);
    await KbNamespace.updateOne({ id_project, id: id_project }, { $set: { _events: '["no time"' } });
    await outgrowTheLog();
    await relayedAgain();
    await namespaces.update(id_project, kept.id, { name: 'Three' });
    await caughtUp();

    const [gap, ...more] = await Change.find({ id_project: EVERYBODY }).lean();
    expect(more).to.deep.equal([]);
    expect(gap).to.include({ event: 'gap' });
    const log = await logged(id_project);
    expect(log.slice(0, before.length)).to.deep.equal(before);
    const told = log.slice(before.length).map(({ event, payload }) => `${event} ${payload.name}`);
    expect(told.slice(0, -1)).to.have.members(['kb.namespace.update Two', 'kb.namespace.delete Lost']);
    expect(told.at(-1)).to.equal('kb.namespace.update Three');
    const positions = [...before, gap, ...log.slice(before.length)].map((entry) => String(entry?.position));
    expect(positions).to.deep.equal(positions.toSorted());
    expect(await KbNamespace.countDocuments({ id_project })).to.equal(2);
  });
});
