import { expect } from 'chai';
import { Bot } from '#shared/models/bot.ts';
import { sign } from '#shared/tokens.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aVisitor } from '../support/people.ts';

const aBot = async (id_project: string) => {
  const [bot] = await Bot.create([{ id_project, name: 'Robot', createdBy: 'test' }]);
  const { _id, secret } = await Bot.findOne({ _id: bot?._id, id_project }, '+secret').orFail().lean();
  const id = String(_id);
  const terms = { sub: 'bot', ttl: 60, signer: { kind: 'bots' as const, id }, secret };
  return { id, authorization: `JWT ${sign({ _id: id }, terms)}` };
};

describe('The project of a conversation', () => {
  const of = async (by: Parameters<typeof api>[0], request_id: string) => {
    const { status, body } = await api(by).get(`/v3/requests_util/lookup/id_project/${request_id}`);
    return status === 200 ? body.id_project : status;
  };

  it('is told to its teammates, its visitor and its bots, and is nobody else’s to know', async () => {
    const [here, elsewhere] = await Promise.all([aConversation(), aConversation()]);
    const { project, request_id } = here;
    const [bot, other, foreignBot] = await Promise.all([
      aBot(project.id),
      aVisitor(project.id),
      aBot(elsewhere.project.id),
    ]);
    for (const who of [here.owner, here.agent, here.guest, bot]) expect(await of(who, request_id)).to.equal(project.id);
    for (const who of [elsewhere.owner, elsewhere.guest, foreignBot, other])
      expect(await of(who, request_id)).to.equal(404);
    expect(await of(undefined, request_id)).to.equal(401);
    expect(await of(here.owner, 'unknown')).to.equal(404);
  });

  it('is each one’s own where two projects have a conversation of one id', async () => {
    const [here, elsewhere] = await Promise.all([aConversation(), aConversation()]);
    const { request_id } = here;
    const again = { first_text: 'Mine', request_id, sender: elsewhere.guest.id };
    expect((await api(elsewhere.owner).post(elsewhere.root, again)).status).to.equal(200);
    expect(await of(here.owner, request_id)).to.equal(here.project.id);
    expect(await of(elsewhere.owner, request_id)).to.equal(elsewhere.project.id);
  });
});

describe('The variables of a conversation', () => {
  it('are the conversation, its lead, its department and what a client gave it', async () => {
    const attributes = { plan: 'gold', conversation_id: 'another' };
    const { one, owner, project, request_id, read } = await aConversation({ text: 'Hi', language: 'it', attributes });
    const { body } = await api(owner).get(`${one}/chatbot/parameters`);
    const { department, lead, ticket_id } = await read();
    expect(body).to.include({ project_id: project.id, conversation_id: request_id, ticket_id, plan: 'gold' });
    expect(body).to.include({ user_language: 'it', department_id: department, department_name: 'Default Department' });
    expect(body).to.include({ lead_id: lead._id, user_fullname: lead.fullname, chat_channel: 'chat21' });
    expect(body).not.to.have.property('last_message');
  });

  it('are not there of an unknown one, and refused of one that names another project (401)', async () => {
    const { root, owner, project } = await aConversation();
    const other = await aConversation();
    const ask = (request_id: string) => api(owner).get(`${root}/${request_id}/chatbot/parameters`);
    expect((await ask('unknown')).status).to.equal(404);
    expect((await ask(`support-group-${project.id}-x`)).status).to.equal(404);
    expect((await ask(other.request_id)).status).to.equal(404);
    const refused = await ask(`support-group-${other.project.id}-x`);
    expect(refused.status).to.equal(401);
    expect(refused.body).to.include({ success: false }).and.have.property('message');
  });
});
