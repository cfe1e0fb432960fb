import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { begin, cursorOf, hearerOf, nudge, replay } from '#shared/domain/events/listeners.ts';
import { Change } from '#shared/models/change.ts';
import { Request } from '#shared/models/request.ts';
import { changes } from '../support/changes.ts';
import { aLead, areHeard, expectHeardOnce, rename, saidIn } from '../support/leads.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';

const LISTENERS = ['events.copy-lead', 'events.announce-lead'];

describe('A lead that gives another name', () => {
  const id_project = randomUUID();

  before(() => begin());

  const relayed = async () => {
    const told = await changes(id_project);
    await nudge(told.map(({ event }) => event));
    await runJobsOnEvents();
  };

  it('has it in all its conversations, and the latest says so once, however often that is replayed', async () => {
    const lead = await aLead(id_project);
    const start = await Promise.all(LISTENERS.map(cursorOf));
    await rename(lead, 'Ann 1');
    await rename(lead, 'Ann 2');
    await relayed();
    expect(await areHeard(id_project, 2)).to.equal(true);
    await Promise.all(LISTENERS.map((name, at) => replay(hearerOf(name), start[at] as string)));
    await relayed();
    await expectHeardOnce(id_project, 2);
    const shown = await Request.find({ id_project }, { snapshot: 1 }).lean();
    expect(shown.map(({ snapshot }) => snapshot.lead)).to.have.length(2);
    for (const { snapshot } of shown) expect(snapshot.lead).to.include({ fullname: 'Ann 2', __v: 2 });
    const said = await saidIn(id_project, lead.latest);
    expect(said).to.have.length(2);
    expect(said[1]).to.include({ sender: 'system', senderFullname: 'Bot', status: 0 });
    expect(said[1]?.attributes).to.deep.equal({
      ...{ subtype: 'info/support', updateconversation: false },
      messagelabel: { key: 'LEAD_UPDATED' },
      ...{ updateUserEmail: 'Ann2@example.com', updateUserFullname: 'Ann 2' },
    });
  });

  it('is not told twice of a change that its conversations show already', async () => {
    const told = { id_project, event: 'request.update' };
    const before = await Change.countDocuments(told);
    for (const name of LISTENERS) await replay(hearerOf(name), '0');
    await relayed();
    await changes(id_project);
    expect(await Change.countDocuments(told)).to.equal(before);
  });
});
