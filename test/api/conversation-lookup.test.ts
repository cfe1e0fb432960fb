import { expect } from 'chai';
import { Bot } from '#shared/models/bot.ts';
import { signToken } from '#shared/security/tokens.ts';
import { endpoints } from '../../api/resources.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aVisitor } from '../support/people.ts';
import { validCall } from '../support/valid-call.ts';

const aBot = async (id_project: string) => {
  const [bot] = await Bot.create([{ id_project, name: 'Robot', createdBy: 'test' }]);
  const { _id, secret } = await Bot.findOne({ _id: bot?._id, id_project }, '+secret').orFail().lean();
  const id = String(_id);
  const terms = { sub: 'bot', ttlSeconds: 60, signer: { kind: 'bots' as const, id }, secret };
  return { id, authorization: `JWT ${signToken({ _id: id }, terms)}` };
};

describe('Project lookup by request_id', () => {
  const lookUp = async (caller: Parameters<typeof api>[0], request_id: string) => {
    const { status, body } = await api(caller).get(`/v3/requests_util/lookup/id_project/${request_id}`);
    return status === 200 ? body.id_project : status;
  };

  it('the project lookup returns the project of a conversation to its teammates, visitor and bots, and 404 to others', async () => {
    const [own, foreign] = await Promise.all([aConversation(), aConversation()]);
    const { project, request_id } = own;
    const [bot, other, foreignBot] = await Promise.all([
      aBot(project.id),
      aVisitor(project.id),
      aBot(foreign.project.id),
    ]);
    for (const caller of [own.owner, own.agent, own.guest, bot])
      expect(await lookUp(caller, request_id)).to.equal(project.id);
    for (const caller of [foreign.owner, foreign.guest, foreignBot, other])
      expect(await lookUp(caller, request_id)).to.equal(404);
    expect(await lookUp(undefined, request_id)).to.equal(401);
    expect(await lookUp(own.owner, 'unknown')).to.equal(404);
  });

  it('the project lookup returns the project of the caller if two projects use the same request_id', async () => {
    const [own, foreign] = await Promise.all([aConversation(), aConversation()]);
    const { request_id } = own;
    const fields = { first_text: 'Mine', request_id, sender: foreign.guest.id };
    expect((await api(foreign.owner).post(foreign.root, fields)).status).to.equal(200);
    expect(await lookUp(own.owner, request_id)).to.equal(own.project.id);
    expect(await lookUp(foreign.owner, request_id)).to.equal(foreign.project.id);
  });
});

describe('Bot variables of a conversation', () => {
  it('chatbot/parameters returns the conversation, its lead, its department and the attributes set by the client', async () => {
    const attributes = { plan: 'gold', conversation_id: 'another' };
    const { one, owner, project, request_id, read } = await aConversation({ text: 'Hi', language: 'it', attributes });
    const { body } = await api(owner).get(`${one}/chatbot/parameters`);
    const { department, lead, ticket_id } = await read();
    expect(body).to.include({ project_id: project.id, conversation_id: request_id, ticket_id, plan: 'gold' });
    expect(body).to.include({ user_language: 'it', department_id: department, department_name: 'Default Department' });
    expect(body).to.include({ lead_id: lead._id, user_fullname: lead.fullname, chat_channel: 'chat21' });
    expect(body).not.to.have.property('last_message');
  });

  it('chatbot/parameters returns 404 for an unknown conversation and for one of another project, even if its request_id contains the id of that project', async () => {
    const { root, owner, project } = await aConversation();
    const other = await aConversation();
    const named = `support-group-${other.project.id}-named`;
    expect((await api(other.owner).post(`${other.root}/${named}/messages`, { text: 'Hi' })).status).to.equal(200);
    for (const id of ['unknown', `support-group-${project.id}-x`, other.request_id, named, `${named}-x`]) {
      const { status, body } = await api(owner).get(`${root}/${id}/chatbot/parameters`);
      expect([id, status, body.msg]).to.deep.equal([id, 404, `Request not found with id ${id}`]);
    }
  });
});

describe('Unknown conversation', () => {
  const CHANGES = ['put', 'patch', 'delete'];
  const changing = endpoints.filter(
    ({ path, method }) => path.startsWith('/v3/:project_id/requests/:request_id') && CHANGES.includes(method),
  );

  it('every call that changes a conversation returns 404 with the request_id if the conversation is unknown', async () => {
    const { owner, project } = await aConversation();
    const answers = await Promise.all(
      changing.map(async (endpoint) => {
        const { body } = validCall(endpoint, project.id);
        const path = endpoint.path.replace(':project_id', project.id).replace(':request_id', 'gone');
        const reply = await api(owner).call(endpoint.method.toUpperCase() as 'PUT', path, body);
        return [endpoint.path, reply.status, reply.body.error, reply.body.msg];
      }),
    );
    const text = 'Request not found with id gone';
    expect(answers).to.deep.equal(changing.map(({ path }) => [path, 404, text, text]));
    expect(answers.length).to.be.at.least(15);
  });
});
