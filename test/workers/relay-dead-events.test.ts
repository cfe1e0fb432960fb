import { expect } from 'chai';
import { ulid } from 'ulid';
import { emits } from '#shared/emits.ts';
import { DeadEvent } from '#shared/models/dead-event.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { Project } from '#shared/models/project.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';
import { silentContents } from '../support/tales.ts';

const INDEXED = emits('kb.content.indexed');
const MEGABYTE = 1_000_000;

const OTHER = [
  ['no JSON', 'nonsense', 'UNDECODABLE'],
  ['no list', '{"request.create":1}', 'UNDECODABLE'],
  ['no time in it', '["x",null,["kb.content.indexed"]]', 'UNDECODABLE'],
  ['a name that is none of the menu', JSON.stringify([ulid(), null, ['kb.content.eaten']]), 'UNKNOWN_EVENT'],
] as const;

describe('What can not be told', () => {
  for (const [what, text, code] of OTHER) {
    it(`is set aside, and the relay goes on: ${what}`, async () => {
      const id_project = (await aProject()).project.id;
      const [record = '', next = ''] = await silentContents(id_project, 2);
      await KbContent.updateOne({ _id: record, id_project }, { $set: { _events: text } });
      await KbContent.updateOne({ _id: next, id_project }, { $set: { name: 'Next' } }, INDEXED);
      expect((await changes(id_project)).at(-1)).to.include({ event: 'kb.content.indexed', record: next });
      const dead = await DeadEvent.find({ record }).lean();
      expect(dead.map(({ by, code }) => ({ by, code }))).to.deep.equal([{ by: 'relay', code }]);
    });
  }

  it('is set aside when its record can not be shown, alone', async () => {
    const [broken, whole] = await Promise.all([aProject(), aProject()]);
    const lame = { $unset: { createdAt: 1 } } as const;
    const options = { timestamps: false, overwriteImmutable: true, ...emits('project.create') };
    await Project.updateOne({ _id: broken.project.id }, lame, options);
    await Project.updateOne({ _id: whole.project.id }, { $set: { name: 'Whole' } }, emits('project.create'));
    const log = await changes(whole.project.id);
    expect(log.at(-1)?.payload).to.include({ name: 'Whole' });
    const dead = await DeadEvent.find({ record: broken.project.id }).lean();
    expect(dead.at(-1)).to.include({ by: 'relay', code: 'NOT_READ', event: 'project.create' });
    await Project.deleteOne({ _id: broken.project.id }); // no list of all projects could show it
  });
});

describe('Large records', () => {
  it('are told whole, five of 4 MB at once', async function large() {
    this.timeout(60_000);
    const id_project = (await aProject()).project.id;
    const ids = await silentContents(id_project, 5);
    const content = 'x'.repeat(4 * MEGABYTE);
    await KbContent.updateMany({ id_project }, { $set: { content } }, INDEXED);
    const log = (await changes(id_project)).slice(-5);
    expect(log.map(({ record }) => record)).to.have.members(ids);
    expect(log.map(({ payload }) => payload.content.length)).to.deep.equal(times(5, () => content.length));
  });
});
