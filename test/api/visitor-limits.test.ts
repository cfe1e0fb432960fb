/** Limits on one visitor: changes to the name and email address, and new conversations. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { syncLead } from '#shared/domain/conversations/lead-sync.ts';
import { update } from '#shared/domain/leads/lead-writes.ts';
import { CONVERSATION_STATUS, Conversation } from '#shared/models/conversation.ts';
import { Lead } from '#shared/models/lead.ts';
import { api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aLead } from '../support/leads.ts';
import { aProject } from '../support/people.ts';

/** Inserts conversations of a lead, each one second older than the previous one. */
const insertConversations = (
  { id_project, lead, lead_id }: { id_project: string; lead: string; lead_id: string },
  count: number,
  more: { status: number },
) => {
  const now = Date.now();
  const conversationsOfLead = times(count, (index) => ({
    ...{ id_project, lead, request_id: randomUUID(), first_text: 'Hello', createdBy: 'test', ...more },
    ...{ snapshot: { lead: { lead_id, __v: 0 } }, createdAt: new Date(now - index * 1000), __v: 0 },
  }));
  return Conversation.collection.insertMany(conversationsOfLead);
};

describe('Hourly limits of a visitor', () => {
  it('a visitor can change the email address and name of their lead five times an hour, and further messages do not change them', async () => {
    const { project, guest, agent } = await aProject();
    const postUnderNewName = async (index: number) => {
      const message = { text: 'Hello', email: `ann${index}@example.com`, senderFullname: `Ann ${index}` };
      return (await api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, message)).status;
    };
    const lead = () => Lead.findOne({ id_project: project.id, lead_id: guest.id }).orFail().lean();
    for (const index of times(6, Number)) expect(await postUnderNewName(index)).to.equal(200);
    expect(await lead()).to.include({ email: 'ann5@example.com', fullname: 'Ann 5' });
    const { __v } = await lead();
    for (const index of [6, 7, 8]) expect(await postUnderNewName(index)).to.equal(200);
    expect(await lead()).to.include({ email: 'ann5@example.com', __v });
    const { _id } = await lead();
    await api(agent).put(`/v3/${project.id}/leads/${String(_id)}`, { email: 'right@example.com' });
    expect(await lead()).to.include({ email: 'right@example.com' });
  });

  it('a visitor can open sixty conversations an hour, then receives 429 with Retry-After, but may continue existing ones', async () => {
    const { project, guest, agent } = await aProject();
    const root = `/v3/${project.id}/requests`;
    const first = `${root}/${randomUUID()}/messages`;
    await api(guest).post(first, { text: 'Hello' });
    const { _id } = await Lead.findOne({ id_project: project.id, lead_id: guest.id }).orFail().lean();
    const own = { id_project: project.id, lead: String(_id), lead_id: guest.id };
    await insertConversations(own, 59, { status: CONVERSATION_STATUS.unserved });
    const refused = await api(guest).post(`${root}/${randomUUID()}/messages`, { text: 'One more' });
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.be.above(0);
    expect((await api(guest).post(first, { text: 'Are you there?' })).status).to.equal(200);
    const theirs = await api(agent).post(`${root}/${randomUUID()}/messages`, { text: 'Hello', sender: guest.id });
    expect(theirs.status).to.equal(200);
  });
});

describe('Copying a changed lead', () => {
  const aConversationWithNewName = async (open: number, closed: number) => {
    const id_project = randomUUID();
    const lead = await aLead(id_project, 0);
    const { lead_id } = await Lead.findOne({ _id: lead._id, id_project }).orFail().lean();
    const own = { id_project, lead: lead._id, lead_id };
    await insertConversations(own, open, { status: CONVERSATION_STATUS.served });
    await insertConversations(own, closed, { status: CONVERSATION_STATUS.closed });
    await update(lead, { fullname: 'Ann 1' });
    const countWithFirstName = (status: number) =>
      Conversation.countDocuments({ id_project, status, 'snapshot.lead.fullname': 'Ann 1' });
    return { changed: { id_project, lead: lead._id }, countWithFirstName };
  };

  it('a changed lead is copied into its open conversations and its latest hundred closed ones', async () => {
    const { changed, countWithFirstName } = await aConversationWithNewName(30, 150);
    await syncLead(changed);
    expect([
      await countWithFirstName(CONVERSATION_STATUS.served),
      await countWithFirstName(CONVERSATION_STATUS.closed),
    ]).to.deep.equal([30, 100]);
    const { id_project } = changed;
    const oldest = await Conversation.findOne({ id_project, status: CONVERSATION_STATUS.closed })
      .sort({ createdAt: 1 })
      .orFail()
      .lean();
    expect((oldest.snapshot as { lead: object }).lead).to.not.have.property('fullname');
    await syncLead(changed);
    expect(await countWithFirstName(CONVERSATION_STATUS.closed)).to.equal(100);
  });

  it('copying a lead into its conversations stops when the given signal is aborted', async () => {
    const { changed, countWithFirstName } = await aConversationWithNewName(3, 3);
    const outcome = await syncLead(changed, AbortSignal.abort(new Error('time is up'))).then(
      () => 'copied',
      (error: Error) => error.message,
    );
    expect(outcome).to.equal('time is up');
    expect(await countWithFirstName(CONVERSATION_STATUS.served)).to.equal(0);
  });
});
