/** What becomes of a conversation's fields when somebody comes or goes: the rows of contract b 1.12. */
import { expect } from 'chai';
import { Request } from '#shared/models/request.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';

const LONG_AGO = new Date('2026-01-01T00:00:00Z');

/** A conversation that somebody has had for long, and has answered. */
const aHeldOne = async (holders: (people: { agent: string; bot: string }) => string[]) => {
  const world = await aConversation();
  const { owner, agent, project, one, request_id, told } = world;
  const made = await api(owner).post(`/v3/${project.id}/bots`, { name: 'Bot' });
  const bot = `bot_${made.body._id}`;
  await api(owner).put(`${one}/participants`, holders({ agent: agent.id, bot }));
  const held = { assigned_at: LONG_AGO, waiting_time: 5 };
  await Request.updateOne({ id_project: project.id, request_id }, { $set: held });
  await told();
  return { ...world, bot };
};

const kept = { assigned_at: LONG_AGO.toISOString(), waiting_time: 5 };

describe('A conversation that somebody', () => {
  it('of the team joins is theirs alone of the bots, given now, its wait kept', async () => {
    const { owner, admin, agent, one, bot } = await aHeldOne((people) => [people.agent, people.bot]);
    const { body } = await api(owner).post(`${one}/participants`, { member: admin.id });
    const participants = [agent.id, admin.id];
    expect(body).to.deep.include({ participants, participantsAgents: participants, participantsBots: [] });
    expect(body).to.include({ hasBot: false, status: 200, waiting_time: 5 });
    expect(new Date(body.assigned_at)).to.be.greaterThan(LONG_AGO);
    expect(body.participants).to.not.include(bot);
  });

  it('like a bot joins has a bot beside its people, given now, its wait kept', async () => {
    const { owner, agent, one, bot } = await aHeldOne((people) => [people.agent]);
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

  it('is put into anew has those alone, waits anew, and was given when it was', async () => {
    const { owner, admin, one, bot } = await aHeldOne((people) => [people.agent]);
    const { body } = await api(owner).put(`${one}/participants`, [admin.id, bot]);
    expect(body).to.deep.include({ participantsAgents: [admin.id], participantsBots: [bot.slice('bot_'.length)] });
    expect(body).to.include({ hasBot: true, status: 200, assigned_at: kept.assigned_at });
    expect(body).to.not.have.property('waiting_time');
  });

  it('is taken from, all at once, keeps whether it had a bot', async () => {
    const { owner, one } = await aHeldOne((people) => [people.bot]);
    const { body } = await api(owner).put(`${one}/participants`, []);
    expect(body).to.deep.include({ participants: [], participantsAgents: [], participantsBots: [] });
    expect(body).to.include({ hasBot: true, status: 100, assigned_at: kept.assigned_at });
    expect(body).to.not.have.property('waiting_time');
  });

  it('of the team leaves remembers who it was, and keeps everything else', async () => {
    const { owner, agent, one, bot, told } = await aHeldOne((people) => [people.agent, people.bot]);
    const { body } = await api(owner).delete(`${one}/participants/${agent.id}`);
    expect(body).to.deep.include({ participants: [bot], participantsAgents: [], hasBot: true, status: 200, ...kept });
    const [left] = Object.values(body.attributes.abandoned_by_project_users);
    expect(left).to.be.within(LONG_AGO.getTime(), Date.now());
    const events = ['request.update', 'request.updated', 'request.participants.leave'];
    expect(await told()).to.deep.equal(events);
  });

  it('like its bot leaves has none, and waits where nobody is left', async () => {
    const { owner, one, bot, told } = await aHeldOne((people) => [people.bot]);
    const { body } = await api(owner).delete(`${one}/participants/${bot}`);
    expect(body).to.deep.include({ participants: [], participantsBots: [], hasBot: false, status: 100, ...kept });
    expect(body.attributes ?? {}).to.not.have.property('abandoned_by_project_users');
    expect(await told())
      .to.include('request.participants.leave')
      .and.include('request.assigned');
  });
});

describe('The participants of a conversation', () => {
  it('are at most 50, and one more is refused with 422 naming `member`', async () => {
    const { owner, one, read } = await aConversation();
    const names = Array.from({ length: 50 }, (_, at) => `name-${at}`);
    expect((await api(owner).put(`${one}/participants`, names)).status).to.equal(200);
    const refused = await api(owner).post(`${one}/participants`, { member: 'one-more' });
    expect(refused.status).to.equal(422);
    expect(refused.body.errors[0]).to.include({ path: 'member' });
    expect((await api(owner).post(`${one}/participants`, { member: 'name-0' })).status).to.equal(200);
    expect((await read()).participants).to.deep.equal(names);
    const tooMany = await api(owner).put(`${one}/participants`, [...names, 'one-more']);
    expect(tooMany.status).to.equal(422);
  });

  it('have names of at most 200 characters', async () => {
    const { owner, one } = await aConversation();
    const { status, body } = await api(owner).post(`${one}/participants`, { member: 'x'.repeat(201) });
    expect(status).to.equal(422);
    expect(body.errors[0]).to.include({ path: 'member' });
  });
});
