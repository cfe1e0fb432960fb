/** Lookup of leads, and merging of two leads that represent the same person. */
import { expect } from 'chai';
import { emits } from '#shared/events.ts';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { moveToMergedLead } from '#shared/domain/conversations/lead-sync.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Lead } from '#shared/models/lead.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aConversation } from '../support/conversations.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';
import { UNKNOWN_ID } from '../support/valid-call.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A conversation with the lead of its visitor, and a second lead for the same person. */
const aDuplicateLead = async () => {
  await initCursors(); // as every worker does when it starts
  const conversation = await aConversation();
  const leads = `/v3/${conversation.project.id}/leads`;
  const visitor = (await conversation.read()).lead;
  const customer = (
    await api(conversation.agent).post(leads, { fullname: 'Ann', email: 'ann@x.org', lead_id: 'crm-7' })
  ).body;
  const change = (id: string, body: object) => api(conversation.agent).put(`${leads}/${id}`, body);
  const merge = (into: string, lead: string) => api(conversation.agent).post(`${leads}/${into}/merge`, { lead });
  const readLead = async (id: string) => (await api(conversation.agent).get(`${leads}/${id}`)).body;
  /** Waits until the visitor's conversation belongs to the second lead. */
  const waitUntilMoved = () =>
    waitUntil(async () => {
      await runJobsOnEvents(conversation.project.id);
      return (await conversation.read()).requester_id === customer._id;
    });
  return { ...conversation, leads, visitor, customer, change, merge, readLead, waitUntilMoved };
};

describe('Merging leads', () => {
  it('merging keeps the fields of the target lead, fills in missing ones from the merged lead, and combines tags and attributes', async () => {
    const { visitor, customer, change, merge, readLead, project } = await aDuplicateLead();
    await change(visitor._id, { city: 'Rome', company: 'V', tags: ['b', 'c'], attributes: { a: 1, b: 1 } });
    await change(customer._id, { company: 'C', tags: ['a', 'b'], attributes: { b: 2 } });
    const { status, body } = await merge(customer._id, visitor._id);
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      fullname: 'Ann',
      company: 'C',
      city: 'Rome',
      tags: ['a', 'b', 'c'],
      lead_id: 'crm-7',
    });
    expect(body.attributes).to.deep.equal({ a: 1, b: 2 });
    expect(await readLead(visitor._id)).to.include({ status: 1000, merged_into: customer._id });
    const events = (await relayedChanges(project.id)).slice(-2).map(({ event }) => event);
    expect(events).to.have.members(['lead.delete', 'lead.update']);
  });

  it('merging moves the conversations to the target lead, and their visitor keeps access to them', async () => {
    const { visitor, customer, merge, waitUntilMoved, read, guest, post, root, messages } = await aDuplicateLead();
    await merge(customer._id, visitor._id);
    await waitUntilMoved();
    expect((await read()).lead).to.include({ _id: customer._id, fullname: 'Ann', lead_id: visitor.lead_id });
    expect((await post(guest, { text: 'still me' })).status).to.equal(200);
    expect((await messages(guest)).at(-1).text).to.equal('still me');
    expect((await api(guest).get(root)).status).to.equal(403);
  });

  it('if the target lead is itself merged before the conversations have moved to it, they move to the lead into which the target was merged', async () => {
    const { visitor, customer, leads, merge, read, agent, project } = await aDuplicateLead();
    const last = (await api(agent).post(leads, { fullname: 'Ann Lee', lead_id: 'crm-8' })).body;
    await merge(last._id, customer._id);
    await Lead.updateOne({ _id: visitor._id, id_project: project.id }, { merged_into: customer._id });
    await moveToMergedLead({ id_project: project.id, lead: visitor._id });
    expect(await read()).to.include({ requester_id: last._id });
  });

  it('after a merge, the next conversation of the visitor belongs to the target lead, and changes to that lead also update the earlier conversation', async () => {
    const { visitor, customer, change, merge, waitUntilMoved, root, guest, agent, project, read } =
      await aDuplicateLead();
    await merge(customer._id, visitor._id);
    await waitUntilMoved();
    await api(guest).post(`${root}/another/messages`, { text: 'me again' });
    const another = (await api(agent).get(`${root}/another`)).body;
    expect(another.lead).to.include({ _id: customer._id, lead_id: visitor.lead_id });
    await change(customer._id, { city: 'Oslo' });
    await waitUntil(async () => {
      await runJobsOnEvents(project.id);
      return (await read()).lead.city === 'Oslo';
    });
    expect((await read()).lead.lead_id).to.equal(visitor.lead_id);
  });

  it('merging moves a conversation that is opened during the merge', async () => {
    const { visitor, customer, merge, waitUntilMoved, project, request_id, read } = await aDuplicateLead();
    await merge(customer._id, visitor._id);
    await waitUntilMoved();
    const key = { id_project: project.id, request_id };
    // Simulates a call that read the lead before the merge, and stores its conversation after the merge.
    await Conversation.updateOne(key, { $set: { lead: visitor._id } }, emits('request.create'));
    expect((await read()).requester_id).to.equal(visitor._id);
    await waitUntilMoved();
  });

  it('merging the target of an earlier merge into a third lead redirects both merged leads to the third one, and repeating the merge changes nothing', async () => {
    const { visitor, customer, merge, readLead, leads, agent } = await aDuplicateLead();
    const person = (await api(agent).post(leads, { fullname: 'The person' })).body;
    await merge(customer._id, visitor._id);
    await merge(person._id, customer._id);
    const again = await merge(person._id, customer._id);
    expect(again.body).to.deep.equal(await readLead(person._id));
    expect((await readLead(visitor._id)).merged_into).to.equal(person._id);
    expect((await api(agent).get(`${leads}/lookup?lead_id=${visitor.lead_id}`)).body._id).to.equal(person._id);
  });

  it('merging a lead with itself returns 422, with a deleted lead 409 and with a lead of another project 404', async () => {
    const { visitor, customer, merge, leads, agent } = await aDuplicateLead();
    const foreign = await aDuplicateLead();
    expect((await merge(customer._id, customer._id)).status).to.equal(422);
    for (const id of [UNKNOWN_ID, foreign.customer._id]) expect((await merge(customer._id, id)).status).to.equal(404);
    expect((await merge(foreign.customer._id, customer._id)).status).to.equal(404);
    await api(agent).delete(`${leads}/${visitor._id}`);
    expect((await merge(customer._id, visitor._id)).status).to.equal(409);
  });

  it("the lead of a visitor who enters another lead's email address is not merged with that lead", async () => {
    const { post, guest, visitor, customer, readLead, project, read } = await aDuplicateLead();
    await post(guest, { text: 'I am Ann', email: 'ann@x.org' });
    await runJobsOnEvents(project.id);
    expect((await readLead(customer._id)).merged_into).to.equal(undefined);
    expect((await read()).lead._id).to.equal(visitor._id);
  });
});

describe('Lead lookup', () => {
  it('a lead lookup by lead_id, email address, or phone number in any format returns the newest lead that is not deleted', async () => {
    const { leads, agent, customer, change } = await aDuplicateLead();
    const find = async (query: string) => (await api(agent).get(`${leads}/lookup?${query}`)).body._id;
    await change(customer._id, { phone: '+39 06 6982' });
    for (const query of ['lead_id=crm-7', 'email=ann@x.org', 'phone=%2B39-066982'])
      expect(await find(query), query).to.equal(customer._id);
    const later = (await api(agent).post(leads, { email: 'ann@x.org' })).body;
    expect(await find('email=ann@x.org')).to.equal(later._id);
    await api(agent).delete(`${leads}/${later._id}`);
    expect(await find('email=ann@x.org')).to.equal(customer._id);
  });

  it('a lead lookup returns 404 if no lead matches, and 422 without exactly one criterion', async () => {
    const { leads, agent } = await aDuplicateLead();
    const statusOf = async (query: string) => (await api(agent).get(`${leads}/lookup${query}`)).status;
    expect(await statusOf('?email=nobody@x.org')).to.equal(404);
    for (const query of ['', '?email=', '?email=a@x.org&phone=1']) expect(await statusOf(query)).to.equal(422);
  });
});

describe('Lead phone numbers', () => {
  it('a phone number with a country code is stored in international format, and one without as digits', async () => {
    const { customer, change } = await aDuplicateLead();
    const cases = { '+39 06 6982-1234': '+390669821234', '06 / 69 82': '066982', unknown: 'unknown' };
    for (const [phone, expected] of Object.entries(cases))
      expect((await change(customer._id, { phone })).body.phone).to.equal(expected);
  });
});
