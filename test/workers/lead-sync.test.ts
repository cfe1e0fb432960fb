import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { findListener, initCursors, replay } from '#shared/domain/events/listeners.ts';
import { Change } from '#shared/models/change.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { waitForRelay } from '../support/changes-log.ts';
import { aLead, areRenamingsHandled, expectRenamingsHandledOnce, rename, systemMessages } from '../support/leads.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';

const LEAD_LISTENERS = ['events.sync-lead', 'events.announce-lead-update'];

describe('Renamed leads', () => {
  const id_project = randomUUID();

  before(() => initCursors());

  const replayAll = () => Promise.all(LEAD_LISTENERS.map((name) => replay(findListener(name), '0')));

  it('a renamed lead is updated in all its conversations, and each renaming is announced once, even if the events are replayed', async () => {
    const lead = await aLead(id_project);
    await rename(lead, 'Ann 1');
    await rename(lead, 'Ann 2');
    await runJobsOnEvents(id_project);
    expect(await areRenamingsHandled(id_project, 2)).to.equal(true);
    await replayAll();
    await runJobsOnEvents(id_project);
    await expectRenamingsHandledOnce(id_project, 2);
    const conversations = await Conversation.find({ id_project }, { snapshot: 1 }).lean();
    expect(conversations.map(({ snapshot }) => snapshot.lead)).to.have.length(2);
    for (const { snapshot } of conversations) expect(snapshot.lead).to.include({ fullname: 'Ann 2', __v: 2 });
    const announcements = await systemMessages(id_project, lead.latest);
    expect(announcements).to.have.length(2);
    expect(announcements[1]).to.include({ sender: 'system', senderFullname: 'Bot', status: 0 });
    expect(announcements[1]?.attributes).to.deep.equal({
      ...{ subtype: 'info/support', updateconversation: false },
      messagelabel: { key: 'LEAD_UPDATED' },
      ...{ updateUserEmail: 'Ann2@example.com', updateUserFullname: 'Ann 2' },
    });
  });

  it('a replay of the events of leads emits no event for conversations that already contain the change', async () => {
    const updates = { id_project, event: 'request.update' };
    const before = await Change.countDocuments(updates);
    await replayAll();
    await runJobsOnEvents(id_project);
    await waitForRelay();
    expect(await Change.countDocuments(updates)).to.equal(before);
  });
});
