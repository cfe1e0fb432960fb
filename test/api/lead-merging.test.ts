/** Who is who: leads by what is known, and two records of one person that become one. */
import { expect } from 'chai';
import { emits } from '#shared/emits.ts';
import { begin } from '#shared/domain/events/listeners.ts';
import { Request } from '#shared/models/request.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aConversation } from '../support/conversations.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';
import { until } from '../support/until.ts';
import { UNKNOWN } from '../support/valid-call.ts';

/** A visitor's conversation, and a customer who turned out to be that visitor. */
const aDouble = async () => {
  await begin(); // as every worker does at its start
  const world = await aConversation();
  const leads = `/v3/${world.project.id}/leads`;
  const visitor = (await world.read()).lead;
  const customer = (await api(world.agent).post(leads, { fullname: 'Ann', email: 'ann@x.org', lead_id: 'crm-7' })).body;
  const change = (id: string, body: object) => api(world.agent).put(`${leads}/${id}`, body);
  const merge = (into: string, lead: string) => api(world.agent).post(`${leads}/${into}/merge`, { lead });
  const one = async (id: string) => (await api(world.agent).get(`${leads}/${id}`)).body;
  /** Waits until the visitor's conversation is the customer's. */
  const moved = () =>
    until(async () => {
      await changes(world.project.id);
      await runJobsOnEvents();
      return (await world.read()).requester_id === customer._id;
    });
  return { ...world, leads, visitor, customer, change, merge, one, moved };
};

describe('Merging leads', () => {
  it('keeps what the one says, fills in what the other says, and lays tags and free objects together', async () => {
    const { visitor, customer, change, merge, one, project } = await aDouble();
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
    expect(await one(visitor._id)).to.include({ status: 1000, merged_into: customer._id });
    const events = (await changes(project.id)).slice(-2).map(({ event }) => event);
    expect(events).to.have.members(['lead.delete', 'lead.update']);
  });

  it('takes the conversations along, and whose visitor they are stays', async () => {
    const { visitor, customer, merge, moved, read, guest, post, root, messages } = await aDouble();
    await merge(customer._id, visitor._id);
    await moved();
    expect((await read()).lead).to.include({ _id: customer._id, fullname: 'Ann', lead_id: visitor.lead_id });
    expect((await post(guest, { text: 'still me' })).status).to.equal(200);
    expect((await messages(guest)).at(-1).text).to.equal('still me');
    expect((await api(guest).get(root.replace('/requests', '/requests'))).status).to.equal(403);
  });

  it('gives the next conversation of that visitor to the lead that was kept, and its changes to both', async () => {
    const { visitor, customer, change, merge, moved, root, guest, agent, project, read } = await aDouble();
    await merge(customer._id, visitor._id);
    await moved();
    await api(guest).post(`${root}/another/messages`, { text: 'me again' });
    const another = (await api(agent).get(`${root}/another`)).body;
    expect(another.lead).to.include({ _id: customer._id, lead_id: visitor.lead_id });
    await change(customer._id, { city: 'Oslo' });
    await until(async () => {
      await changes(project.id);
      await runJobsOnEvents();
      return (await read()).lead.city === 'Oslo';
    });
    expect((await read()).lead.lead_id).to.equal(visitor.lead_id);
  });

  it('takes along a conversation that was opened at that very moment', async () => {
    const { visitor, customer, merge, moved, project, request_id, read } = await aDouble();
    await merge(customer._id, visitor._id);
    await moved();
    const where = { id_project: project.id, request_id };
    await Request.updateOne(where, { $set: { lead: visitor._id } }, emits('request.create')); // as its opening found it
    expect((await read()).requester_id).to.equal(visitor._id);
    await moved();
  });

  it('follows those that were merged before, and changes nothing the second time', async () => {
    const { visitor, customer, merge, one, leads, agent } = await aDouble();
    const person = (await api(agent).post(leads, { fullname: 'The person' })).body;
    await merge(customer._id, visitor._id);
    await merge(person._id, customer._id);
    const again = await merge(person._id, customer._id);
    expect(again.body).to.deep.equal(await one(person._id));
    expect((await one(visitor._id)).merged_into).to.equal(person._id);
    expect((await api(agent).get(`${leads}/lookup?lead_id=${visitor.lead_id}`)).body._id).to.equal(person._id);
  });

  it('is refused with itself (422), with a deleted one (409) and with one of another project (404)', async () => {
    const { visitor, customer, merge, leads, agent } = await aDouble();
    const elsewhere = await aDouble();
    expect((await merge(customer._id, customer._id)).status).to.equal(422);
    for (const id of [UNKNOWN, elsewhere.customer._id]) expect((await merge(customer._id, id)).status).to.equal(404);
    expect((await merge(elsewhere.customer._id, customer._id)).status).to.equal(404);
    await api(agent).delete(`${leads}/${visitor._id}`);
    expect((await merge(customer._id, visitor._id)).status).to.equal(409);
  });

  it('never happens by itself: the e-mail that a visitor types in proves nothing', async () => {
    const { post, guest, visitor, customer, one, project, read } = await aDouble();
    await post(guest, { text: 'I am Ann', email: 'ann@x.org' });
    await changes(project.id);
    await runJobsOnEvents();
    expect((await one(customer._id)).merged_into).to.equal(undefined);
    expect((await read()).lead._id).to.equal(visitor._id);
  });
});

describe('Looking a lead up', () => {
  it('takes a lead_id, an e-mail or a phone number in any form, and finds the latest in use', async () => {
    const { leads, agent, customer, change } = await aDouble();
    const find = async (query: string) => (await api(agent).get(`${leads}/lookup?${query}`)).body._id;
    await change(customer._id, { phone: '+39 06 6982' });
    for (const query of ['lead_id=crm-7', 'email=ann@x.org', 'phone=%2B39-066982'])
      expect(await find(query), query).to.equal(customer._id);
    const later = (await api(agent).post(leads, { email: 'ann@x.org' })).body;
    expect(await find('email=ann@x.org')).to.equal(later._id);
    await api(agent).delete(`${leads}/${later._id}`);
    expect(await find('email=ann@x.org')).to.equal(customer._id);
  });

  it('knows nobody (404), and wants to be told one thing (422)', async () => {
    const { leads, agent } = await aDouble();
    const statusOf = async (query: string) => (await api(agent).get(`${leads}/lookup${query}`)).status;
    expect(await statusOf('?email=nobody@x.org')).to.equal(404);
    for (const query of ['', '?email=', '?email=a@x.org&phone=1']) expect(await statusOf(query)).to.equal(422);
  });
});

describe('Phone numbers of leads', () => {
  it('are kept in the international form where they tell the country, else as digits (contract b 5.1)', async () => {
    const { customer, change } = await aDouble();
    const cases = { '+39 06 6982-1234': '+390669821234', '06 / 69 82': '066982', unknown: 'unknown' };
    for (const [phone, kept] of Object.entries(cases))
      expect((await change(customer._id, { phone })).body.phone).to.equal(kept);
  });
});
