import { expect } from 'chai';
import { state } from '#shared/domain/events/relay.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { emits } from '#shared/emits.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { Outbox } from '#shared/models/outbox.ts';
import { inTransaction } from '#shared/mongo.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { relaying, stopRelaying } from '../support/relay.ts';
import { times } from '../support/stage.ts';
import { expectInOrder, type Log, silentContents, silentFlood, timesTold } from '../support/tales.ts';

const INDEXED = emits('kb.content.indexed');
const UPDATED = emits('kb.namespace.update');

const aNamespace = async () => {
  const id_project = (await aProject()).project.id;
  const { id } = await namespaces.add(id_project, { name: 'Name' });
  const own = { id_project, id };
  const record = String((await KbNamespace.findOne(own).lean())?._id);
  return { id_project, own, record };
};

const namesIn = (log: Log, record: string) =>
  log.filter((entry) => entry.record === record).map(({ event }) => event.replace('kb.namespace.', ''));

describe('Every event once, whole, in the order of its record', () => {
  it('when one record quickly tells the same five times', async () => {
    const { id_project, own, record } = await aNamespace();
    for (const at of times(5, Number)) await KbNamespace.updateOne(own, { $set: { name: `n${at % 2}` } }, UPDATED);
    const log = await changes(id_project);
    expect(namesIn(log, record)).to.deep.equal(['create', ...times(5, () => 'update')]);
    expect(log.at(-1)).to.deep.include({ record, revision: 5 });
    expect(log.at(-1)?.payload).to.deep.include({ id: own.id, name: 'n0' }).and.include.keys('engine', 'embedding');
    expectInOrder(log);
  });

  it('when a pipeline updates, which MongoDB may log as the whole record with what it told before', async () => {
    const { id_project, own, record } = await aNamespace();
    const more = Object.fromEntries(times(200, (at) => [`field_number_${at}`, at]));
    const add = [{ $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: more }] } }];
    const remove = [{ $unset: Object.keys(more) }]; // the record is shorter than what is gone from it
    await KbNamespace.updateOne(own, add, { ...UPDATED, updatePipeline: true });
    await KbNamespace.updateOne(own, remove, { updatePipeline: true });
    await KbNamespace.updateOne(own, add, { ...UPDATED, updatePipeline: true });
    await KbNamespace.updateOne(own, remove, { ...UPDATED, updatePipeline: true });
    expect(namesIn(await changes(id_project), record)).to.deep.equal(['create', 'update', 'update', 'update']);
  });

  it('when the record is gone by then: as its deletion told it, or named as gone', async () => {
    await stopRelaying();
    const [told, silent] = await Promise.all([aNamespace(), aNamespace()]);
    for (const { own } of [told, silent]) await KbNamespace.updateOne(own, { $set: { name: 'Late' } }, UPDATED);
    await namespaces.remove(told.id_project, told.own.id);
    await KbNamespace.deleteOne(silent.own);
    const log = (await changes(told.id_project)).filter(({ record }) => record === told.record);
    expect(namesIn(log, told.record)).to.deep.equal(['create', 'update', 'delete']);
    for (const { payload } of log) expect(payload).to.include({ id: told.own.id, name: 'Late' });
    const [last] = (await changes(silent.id_project)).slice(-1);
    expect(last).to.deep.include({ record: silent.record, payload: { _id: silent.record, gone: true } });
  });

  it('when one verb changes three records', async () => {
    const id_project = (await aProject()).project.id;
    const ids = await silentContents(id_project, 3);
    await inTransaction(async (session) => {
      for (const _id of ids)
        await KbContent.updateOne({ _id, id_project }, { $set: { name: 'All' } }, { ...INDEXED, session });
      await Outbox.create([{ id_project, record: id_project, shown: { ids } }], {
        ...emits('kb.namespace.update'),
        session,
      });
    });
    const log = (await changes(id_project)).slice(-4);
    expect(log.map(({ record }) => record)).to.deep.equal([...ids, id_project]);
    expect(log.at(-1)?.payload).to.deep.equal({ ids });
  });

  it('when much goes on at once, and 50,000 records that tell nothing are stored meanwhile', async function meanwhile() {
    this.timeout(60_000);
    const { id_project, own, record } = await aNamespace();
    const ids = await silentContents(id_project, 1000, 'told');
    const quiet = (await aProject()).project.id;
    relaying();
    const flood = silentFlood(quiet, 50_000);
    await KbContent.updateMany({ id_project }, { $set: { name: 'Told' } }, INDEXED);
    for (const at of times(100, Number)) await KbNamespace.updateOne(own, { $set: { name: `n${at}` } }, UPDATED);
    await KbContent.deleteMany({ id_project, _id: { $in: ids.slice(0, 10) } });
    await flood;
    expect(await KbContent.countDocuments({ id_project: quiet })).to.equal(50_001);
    const log = await changes(id_project);
    expectInOrder(log);
    expect(timesTold(log, 'kb.content.indexed')).to.deep.equal(Object.fromEntries(ids.map((id) => [id, 1])));
    expect(timesTold(log, 'kb.namespace.update')).to.deep.equal({ [record]: 100 });
    expect((await changes(quiet)).map(({ event }) => event)).to.deep.equal(['project.create', 'projectuser.create']);
    console.log(`      lag of the last 1,000 events, in milliseconds: ${JSON.stringify((await state())?.lag)}`);
  });
});
