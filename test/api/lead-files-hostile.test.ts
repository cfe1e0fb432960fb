/** Files of leads that are made to harm: too wide, with names that every object has, or with data that a step throws on. */
import { expect } from 'chai';
import { LeadImport } from '#shared/models/lead-import.ts';
import { LeadImportPart } from '#shared/models/lead-import-part.ts';
import { processorOf } from '../../workers/processors.ts';
import { api } from '../support/api.ts';
import { send, take } from '../support/lead-files.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';

/** A file with so many columns beside the name. */
const wide = (count: number): string => {
  const names = times(count - 1, (at) => `properties.p${at}`);
  return [['fullname', ...names].join(), ['Ann', ...names.map(() => 'x')].join()].join('\n');
};

describe('A file of leads', () => {
  it('has at most 200 columns; more are refused with 422, and nothing is stored', async () => {
    const world = await aProject();
    for (const count of [201, 1000, 15_000]) {
      const { status, body } = await send(world, wide(count));
      expect(status).to.equal(422);
      if (count < 1500) expect(body.message ?? body.msg).to.include(`${count} columns, at most 200`);
    }
    expect(await LeadImport.countDocuments({ id_project: world.project.id })).to.equal(0);
    expect(await LeadImportPart.countDocuments({ id_project: world.project.id })).to.equal(0);
    expect(await take(world, wide(200))).to.include({ status: 'done', created: 1, failed: 0 });
  });

  it('says its columns within 32 KB; a longer first line is refused with 422', async () => {
    const world = await aProject();
    const { status } = await send(world, `fullname,${'x'.repeat(40_000)}\nAnn,y`);
    expect(status).to.equal(422);
  });

  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
    it(`cannot be mapped to ${name}: 422`, async () => {
      const world = await aProject();
      const query = `?mapping=${encodeURIComponent(JSON.stringify({ a: name }))}`;
      expect((await send(world, 'a,fullname\nx,Ann', query)).status).to.equal(422);
    });

    it(`may have a column ${name}, which says nothing`, async () => {
      const world = await aProject();
      expect(await take(world, `${name},fullname\nx,Ann`)).to.include({ status: 'done', created: 1, failed: 0 });
      expect((await send(world, `${name}\nx`)).status).to.equal(422);
    });
  }

  it('that a step throws on each time ends with a reason, and leaves room for other imports', async () => {
    const world = await aProject();
    const { id } = world.project;
    const { body } = await send(world, 'fullname\nAnn');
    await LeadImport.updateOne({ id_project: id, _id: body._id }, { $set: { 'columns.0.field': 'status.x' } });
    await LeadImport.updateOne({ id_project: id, _id: body._id }, { $set: { status: 'running' } });
    const work = await processorOf('bulk.import-leads');
    const outcomes = [];
    for (const _ of times(5, Number))
      outcomes.push(
        await work({ id_project: id, import: body._id }).then(
          () => 'done',
          () => 'threw',
        ),
      );
    expect(outcomes).to.deep.equal(times(5, () => 'threw'));
    const { body: ended } = await api(world.agent).get(`/v3/${id}/leads/imports/${body._id}`);
    expect(ended).to.include({ status: 'failed' });
    expect(ended.error).to.include({ code: 'UNREADABLE' });
    expect(await LeadImportPart.countDocuments({ id_project: id, import: body._id })).to.equal(0);
  });
});
