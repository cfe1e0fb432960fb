import { expect } from 'chai';
import { ulid } from 'ulid';
import { emits } from '#shared/events.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { Project } from '#shared/models/project.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { storeContentsWithoutEvents } from '../support/event-expectations.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';

const INDEXED_EVENT = emits('kb.content.indexed');
const MEGABYTE = 1_000_000;

const BROKEN_EVENTS = [
  ['text that is not JSON', 'nonsense', 'EVENTS_UNDECODABLE'],
  ['JSON that is not a list', '{"request.create":1}', 'EVENTS_UNDECODABLE'],
  ['a list without a ULID', '["x",null,["kb.content.indexed"]]', 'EVENTS_UNDECODABLE'],
  ['an unknown event name', JSON.stringify([ulid(), null, ['kb.content.eaten']]), 'UNKNOWN_EVENT'],
] as const;

describe('Dead letters of the relay', () => {
  for (const [defect, text, code] of BROKEN_EVENTS) {
    it(`a record whose _events field contains ${defect} yields a dead letter, and the relay continues`, async () => {
      const id_project = (await aProject()).project.id;
      const [record = '', next = ''] = await storeContentsWithoutEvents(id_project, 2);
      await KbContent.updateOne({ _id: record, id_project }, { $set: { _events: text } });
      await KbContent.updateOne({ _id: next, id_project }, { $set: { name: 'Next' } }, INDEXED_EVENT);
      expect((await relayedChanges(id_project)).at(-1)).to.include({ event: 'kb.content.indexed', record: next });
      const dead = await DeadLetter.find({ record }).lean();
      expect(dead.map(({ failedBy, code }) => ({ failedBy, code }))).to.deep.equal([{ failedBy: 'relay', code }]);
    });
  }

  it('an event whose record cannot be read becomes a dead letter, and other events are relayed', async () => {
    const [broken, intact] = await Promise.all([aProject(), aProject()]);
    const removeCreatedAt = { $unset: { createdAt: 1 } } as const;
    const options = { timestamps: false, overwriteImmutable: true, ...emits('project.create') };
    await Project.updateOne({ _id: broken.project.id }, removeCreatedAt, options);
    await Project.updateOne({ _id: intact.project.id }, { $set: { name: 'Whole' } }, emits('project.create'));
    const log = await relayedChanges(intact.project.id);
    expect(log.at(-1)?.payload).to.include({ name: 'Whole' });
    const dead = await DeadLetter.find({ record: broken.project.id }).lean();
    expect(dead.at(-1)).to.include({ failedBy: 'relay', code: 'PAYLOAD_UNREADABLE', event: 'project.create' });
    await Project.deleteOne({ _id: broken.project.id }); // otherwise, a list of all projects in another test would fail
  });
});

describe('Relay of large records', () => {
  it('five events with payloads of 4 MB are relayed completely', async function large() {
    const id_project = (await aProject()).project.id;
    const ids = await storeContentsWithoutEvents(id_project, 5);
    const content = 'x'.repeat(4 * MEGABYTE);
    await KbContent.updateMany({ id_project }, { $set: { content } }, INDEXED_EVENT);
    const log = (await relayedChanges(id_project)).slice(-5);
    expect(log.map(({ record }) => record)).to.have.members(ids);
    expect(log.map(({ payload }) => payload.content.length)).to.deep.equal(times(5, () => content.length));
  });
});
