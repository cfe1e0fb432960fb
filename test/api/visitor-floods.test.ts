/** What one visitor may set in motion: changes of its name and e-mail, and new conversations. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { copy } from '#shared/domain/conversations/lead-news.ts';
import { update } from '#shared/domain/conversations/lead-changes.ts';
import { Lead } from '#shared/models/lead.ts';
import { REQUEST, Request } from '#shared/models/request.ts';
import { api } from '../support/api.ts';
import { aLead } from '../support/leads.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';

/** Conversations of a lead, each a second older than the one before. */
const conversations = (
  { id_project, lead, lead_id }: { id_project: string; lead: string; lead_id: string },
  count: number,
  more: { status: number },
) => {
  const now = Date.now();
  const made = times(count, (at) => ({
    ...{ id_project, lead, request_id: randomUUID(), first_text: 'Hello', createdBy: 'test', ...more },
    ...{ snapshot: { lead: { lead_id, __v: 0 } }, createdAt: new Date(now - at * 1000), __v: 0 },
  }));
  return Request.collection.insertMany(made);
};

describe('A visitor', () => {
  it('changes its e-mail and name five times in an hour; messages under further ones leave the lead as it is', async () => {
    const { project, guest, agent } = await aProject();
    const say = async (at: number) => {
      const said = { text: 'Hello', email: `ann${at}@example.com`, senderFullname: `Ann ${at}` };
      return (await api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, said)).status;
    };
    const lead = () => Lead.findOne({ id_project: project.id, lead_id: guest.id }).orFail().lean();
    for (const at of times(6, Number)) expect(await say(at)).to.equal(200);
    expect(await lead()).to.include({ email: 'ann5@example.com', fullname: 'Ann 5' });
    const { __v } = await lead();
    for (const at of [6, 7, 8]) expect(await say(at)).to.equal(200);
    expect(await lead()).to.include({ email: 'ann5@example.com', __v });
    const { _id } = await lead();
    await api(agent).put(`/v3/${project.id}/leads/${String(_id)}`, { email: 'right@example.com' });
    expect(await lead()).to.include({ email: 'right@example.com' });
  });

  it('opens at most sixty conversations in an hour: 429 with Retry-After; it goes on in those it has, and others open theirs', async () => {
    const { project, guest, agent } = await aProject();
    const root = `/v3/${project.id}/requests`;
    const first = `${root}/${randomUUID()}/messages`;
    await api(guest).post(first, { text: 'Hello' });
    const { _id } = await Lead.findOne({ id_project: project.id, lead_id: guest.id }).orFail().lean();
    const own = { id_project: project.id, lead: String(_id), lead_id: guest.id };
    await conversations(own, 59, { status: REQUEST.unserved });
    const refused = await api(guest).post(`${root}/${randomUUID()}/messages`, { text: 'One more' });
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.be.above(0);
    expect((await api(guest).post(first, { text: 'I go on' })).status).to.equal(200);
    const theirs = await api(agent).post(`${root}/${randomUUID()}/messages`, { text: 'Hello', sender: guest.id });
    expect(theirs.status).to.equal(200);
  });
});

describe('A lead that changed', () => {
  const aChangedOne = async (open: number, closed: number) => {
    const id_project = randomUUID();
    const lead = await aLead(id_project, 0);
    const { lead_id } = await Lead.findOne({ _id: lead._id, id_project }).orFail().lean();
    const own = { id_project, lead: lead._id, lead_id };
    await conversations(own, open, { status: REQUEST.served });
    await conversations(own, closed, { status: REQUEST.closed });
    await update(lead, { fullname: 'Ann 1' });
    const shown = (status: number) => Request.countDocuments({ id_project, status, 'snapshot.lead.fullname': 'Ann 1' });
    return { changed: { id_project, lead: lead._id }, shown };
  };

  it('is copied into its open conversations and the hundred that were closed last', async () => {
    const { changed, shown } = await aChangedOne(30, 150);
    await copy(changed);
    expect([await shown(REQUEST.served), await shown(REQUEST.closed)]).to.deep.equal([30, 100]);
    const { id_project } = changed;
    const oldest = await Request.findOne({ id_project, status: REQUEST.closed }).sort({ createdAt: 1 }).orFail().lean();
    expect((oldest.snapshot as { lead: object }).lead).to.not.have.property('fullname');
    await copy(changed);
    expect(await shown(REQUEST.closed)).to.equal(100);
  });

  it('is copied no further once its time is over', async () => {
    const { changed, shown } = await aChangedOne(3, 3);
    const outcome = await copy(changed, AbortSignal.abort(new Error('time is over'))).then(
      () => 'copied',
      (error: Error) => error.message,
    );
    expect(outcome).to.equal('time is over');
    expect(await shown(REQUEST.served)).to.equal(0);
  });
});
