/** The fields of a conversation after participants are added, replaced or removed. */
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');

/** A conversation with the given participants that was assigned long ago and has been answered. */
const anAnsweredConversation = async (participantsOf: (people: { agent: string; bot: string }) => string[]) => {
  const conversation = await aConversation();
  const { owner, agent, project, one, request_id, newEvents } = conversation;
  const created = await api(owner).post(`/v3/${project.id}/bots`, { name: 'Bot' });
  const bot = `bot_${created.body._id}`;
  await api(owner).put(`${one}/participants`, participantsOf({ agent: agent.id, bot }));
  const assignment = { assigned_at: LONG_AGO, waiting_time: 5 };
  await Conversation.updateOne({ id_project: project.id, request_id }, { $set: assignment });
  await newEvents();
  return { ...conversation, bot };
};

const unchangedAssignment = { assigned_at: LONG_AGO.toISOString(), waiting_time: 5 };

describe('Participant changes', () => {
  it('adding a teammate as a participant removes the bots, sets assigned_at and keeps the waiting time', async () => {
    const { owner, admin, agent, one, bot } = await anAnsweredConversation((people) => [people.agent, people.bot]);
    const { body } = await api(owner).post(`${one}/participants`, { member: admin.id });
    const participants = [agent.id, admin.id];
    expect(body).to.deep.include({ participants, participantsAgents: participants, participantsBots: [] });
    expect(body).to.include({ hasBot: false, status: 200, waiting_time: 5 });
    expect(new Date(body.assigned_at)).to.be.greaterThan(LONG_AGO);
    expect(body.participants).to.not.include(bot);
  });

  it('adding a bot as a participant keeps the teammates, sets assigned_at and keeps the waiting time', async () => {
    const { owner, agent, one, bot } = await anAnsweredConversation((people) => [people.agent]);
    const { body } = await api(owner).post(`${one}/participants`, { member: bot });
    expect(body).to.deep.include({
      participants: [agent.id, bot],
      participantsAgents: [agent.id],
      participantsBots: [bot.slice('bot_'.length)],
    });
    expect(body).to.include({ hasBot: true, status: 200, waiting_time: 5 });
    expect(body.participatingBots[0]).to.include({ _id: bot.slice('bot_'.length), name: 'Bot' });
    expect(new Date(body.assigned_at)).to.be.greaterThan(LONG_AGO);
  });

  it('replacing the participants removes those that are not in the new list, resets the waiting time and keeps assigned_at', async () => {
    const { owner, admin, one, bot } = await anAnsweredConversation((people) => [people.agent]);
    const { body } = await api(owner).put(`${one}/participants`, [admin.id, bot]);
    expect(body).to.deep.include({ participantsAgents: [admin.id], participantsBots: [bot.slice('bot_'.length)] });
    expect(body).to.include({ hasBot: true, status: 200, assigned_at: unchangedAssignment.assigned_at });
    expect(body).to.not.have.property('waiting_time');
  });

  it('removing all participants in one call makes the conversation unassigned and keeps hasBot', async () => {
    const { owner, one } = await anAnsweredConversation((people) => [people.bot]);
    const { body } = await api(owner).put(`${one}/participants`, []);
    expect(body).to.deep.include({ participants: [], participantsAgents: [], participantsBots: [] });
    expect(body).to.include({ hasBot: true, status: 100, assigned_at: unchangedAssignment.assigned_at });
    expect(body).to.not.have.property('waiting_time');
  });

  it('removing a teammate is recorded in abandoned_by_project_users, and keeps the status, assigned_at and waiting time', async () => {
    const { owner, agent, one, bot, newEvents } = await anAnsweredConversation((people) => [people.agent, people.bot]);
    const { body } = await api(owner).delete(`${one}/participants/${agent.id}`);
    expect(body).to.deep.include({
      participants: [bot],
      participantsAgents: [],
      hasBot: true,
      status: 200,
      ...unchangedAssignment,
    });
    const [leftAt] = Object.values(body.attributes.abandoned_by_project_users);
    expect(leftAt).to.be.within(LONG_AGO.getTime(), Date.now());
    const events = ['request.update', 'request.updated', 'request.participants.leave'];
    expect(await newEvents()).to.deep.equal(events);
  });

  it('removing one of two bots keeps hasBot and the status', async () => {
    const { owner, project, one, bot } = await anAnsweredConversation((people) => [people.bot]);
    const created = await api(owner).post(`/v3/${project.id}/bots`, { name: 'Second bot' });
    const secondBot = `bot_${created.body._id}`;
    await api(owner).put(`${one}/participants`, [bot, secondBot]);
    const { body } = await api(owner).delete(`${one}/participants/${bot}`);
    expect(body).to.deep.include({ participants: [secondBot], participantsBots: [created.body._id] });
    expect(body).to.include({ hasBot: true, status: 200 });
  });

  it('removing the only bot clears hasBot and makes the conversation unassigned', async () => {
    const { owner, one, bot, newEvents } = await anAnsweredConversation((people) => [people.bot]);
    const { body } = await api(owner).delete(`${one}/participants/${bot}`);
    expect(body).to.deep.include({
      participants: [],
      participantsBots: [],
      hasBot: false,
      status: 100,
      ...unchangedAssignment,
    });
    expect(body.attributes ?? {}).to.not.have.property('abandoned_by_project_users');
    expect(await newEvents())
      .to.include('request.participants.leave')
      .and.include('request.assigned');
  });
});

describe('Participant limits', () => {
  it('a conversation has at most 50 participants, and one more is refused with a 422 error that names the field `member`', async () => {
    const { owner, one, read } = await aConversation();
    const names = Array.from({ length: 50 }, (_, index) => `name-${index}`);
    expect((await api(owner).put(`${one}/participants`, names)).status).to.equal(200);
    const refused = await api(owner).post(`${one}/participants`, { member: 'one-more' });
    expect(refused.status).to.equal(422);
    expect(refused.body.errors[0]).to.include({ path: 'member' });
    expect((await api(owner).post(`${one}/participants`, { member: 'name-0' })).status).to.equal(200);
    expect((await read()).participants).to.deep.equal(names);
    const tooMany = await api(owner).put(`${one}/participants`, [...names, 'one-more']);
    expect(tooMany.status).to.equal(422);
  });

  it('a participant id of more than 200 characters is refused (422)', async () => {
    const { owner, one } = await aConversation();
    const { status, body } = await api(owner).post(`${one}/participants`, { member: 'x'.repeat(201) });
    expect(status).to.equal(422);
    expect(body.errors[0]).to.include({ path: 'member' });
  });

  it('a conversation in the `email` channel accepts only one agent as a participant (422), and another one only after that agent has been removed', async () => {
    const { agent, admin, owner, one } = await aConversation({ text: 'Mail', channel: { name: 'email' } });
    const set = (...ids: string[]) => api(owner).put(`${one}/participants`, ids);
    await set();
    const several = await set(agent.id, admin.id);
    expect(several.status).to.equal(422);
    expect(several.body.error).to.include('set only one participant');
    expect((await set(agent.id)).status).to.equal(200);
    const replacement = await set(admin.id);
    expect(replacement.status).to.equal(422);
    expect(replacement.body.error).to.include('remove its agent first');
    await api(owner).delete(`${one}/participants/${agent.id}`);
    expect((await set(admin.id)).body).to.deep.include({ participants: [admin.id], status: 200 });
  });
});
