/** The webhook `operator.select`, whose answer selects who gets a conversation. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { WebhookCircuit } from '#shared/models/webhook-circuit.ts';
import { api } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { waitForAccessPoll } from '../support/mongo-commands.ts';
import { anInstanceAdmin, aProject } from '../support/people.ts';
import { onSuiteEnd } from '../support/suite-cleanup.ts';
import { listenOnUnusedPort } from '../support/unused-port.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A project, and a receiver that answers with `reply`. `subscribe` subscribes the receiver to `operator.select`. */
const aProjectWithSelection = async () => {
  const fixture = await aProject();
  const { project, admin, guest } = fixture;
  const payloads: ReturnType<typeof JSON.parse>[] = [];
  const reply: { status: number; body: unknown } = { status: 200, body: {} };
  let beforeReply = async (): Promise<void> => undefined;
  const onCall = (next: typeof beforeReply): void => void (beforeReply = next);
  const server = createServer(async (request, response) => {
    payloads.push(JSON.parse(await readText(request)).payload);
    await beforeReply();
    response.writeHead(reply.status).end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  });
  const target = `http://127.0.0.1:${await listenOnUnusedPort(server)}/select`;
  onSuiteEnd(async () => void server.close());
  const subscribe = async () => {
    const body = { event: 'operator.select', target };
    expect((await api(admin).post(`/v3/${project.id}/subscriptions`, body)).status).to.equal(200);
    await waitForAccessPoll(); // until this poll, the absence of a subscription is cached
  };
  const open = async (more: object = {}) => {
    const path = `/v3/${project.id}/requests/support-group-${randomUUID()}`;
    const { body, text } = await api(guest).post(`${path}/messages`, { text: 'Hello', ...more });
    expect(body.request, text).to.be.an('object');
    return { path, participants: body.request.participants as string[], status: body.request.status as number };
  };
  return { ...fixture, payloads, reply, onCall, subscribe, open };
};

describe('operator.select', () => {
  it("the webhook's answer replaces the result of routing", async () => {
    const { subscribe, open, reply, agent, project, owner, payloads, admin } = await aProjectWithSelection();
    const before = await open();
    expect(payloads).to.deep.equal([]);
    await subscribe();
    await api(owner).put(`${before.path}/close`, {});
    for (const selected of [agent.id, agent.id, admin.id]) {
      reply.body = { operators: [{ id_user: selected }] };
      expect((await open()).participants).to.deep.equal([selected]);
    }
    expect(payloads[0])
      .to.include({ id_project: project.id })
      .and.include.keys('agents', 'available_agents', 'project');
    expect(payloads[0].operators).to.have.lengthOf(1);
    expect(payloads[0].context.request).to.include({ first_text: 'Hello' });
    const bot = (await aBot(project.id)).id;
    reply.body = { operators: [{ id_user: `bot_${bot}` }] };
    expect((await open()).participants).to.deep.equal([`bot_${bot}`]);
    reply.body = { operators: [] };
    expect(await open())
      .to.include({ status: 100 })
      .and.have.property('participants').that.is.empty;
  });

  it('GET …/departments/:department_id/operators shows the operators that the webhook selects, unless disableWebHookCall is set', async () => {
    const { subscribe, reply, agent, owner, admin, project, payloads } = await aProjectWithSelection();
    await subscribe();
    const path = `/v3/${project.id}/departments/default/operators`;
    const operatorsFor = async (body: object, query = '') => {
      reply.body = body;
      const { operators } = (await api(owner).get(path + query)).body;
      return operators.map(({ id_user }: { id_user: string }) => id_user);
    };
    const [byDefault] = await operatorsFor({});
    for (const { id } of [agent, admin])
      expect(await operatorsFor({ operators: [{ id_user: id }] })).to.deep.equal([id]);
    const bot = `bot_${(await aBot(project.id)).id}`;
    expect(await operatorsFor({ operators: [{ id_user: bot }] })).to.deep.equal([bot]);
    expect(await operatorsFor({ operators: [] })).to.deep.equal([]);
    await ProjectUser.updateOne({ id_project: project.id, id_user: agent.id }, { user_available: false });
    expect(await operatorsFor({ operators: [{ id_user: agent.id }] })).to.deep.equal([byDefault]);
    expect(payloads).to.have.length(6);
    expect(payloads[0]).to.include({ id_project: project.id }).and.include.keys('agents', 'operators', 'context');
    expect(await operatorsFor({ operators: [] }, '?disableWebHookCall=true')).to.deep.equal([byDefault]);
    expect(payloads).to.have.length(6);
  });

  it('a call that the receiver rejects is recorded in the circuit like a rejected delivery, and the status 410 disables the subscription', async () => {
    const { subscribe, open, reply, owner, project } = await aProjectWithSelection();
    await subscribe();
    const subscriptions = async () => (await api(owner).get(`/v3/${project.id}/subscriptions`)).body;
    reply.status = 404;
    await open();
    const [{ _id }] = await subscriptions();
    const circuit = await WebhookCircuit.findOne({ _id, id_project: project.id }).lean();
    expect(circuit).to.include({ failures: 0 }).and.have.property('failingSince').that.is.a('date');
    reply.status = 410;
    await open();
    expect((await subscriptions())[0]).to.include({ enabled: false, disabled_reason: 'The receiver returned 410' });
  });

  it('a message that ends a preflight calls the webhook before its transaction begins, so that the conversation can be changed during the call', async () => {
    const { subscribe, open, reply, agent, guest, owner, project, onCall } = await aProjectWithSelection();
    const hidden = await open({ preflight: true, request_status: 50, text: 'welcome' });
    await subscribe();
    reply.body = { operators: [{ id_user: agent.id }] };
    const request_id = hidden.path.split('/').at(-1);
    const updates: number[] = [];
    onCall(async () => {
      const { matchedCount } = await Conversation.updateOne(
        { id_project: project.id, request_id },
        { $set: { subject: 'Changed meanwhile' } },
        { maxTimeMS: 1000 },
      );
      updates.push(matchedCount);
    });
    await api(guest).post(`${hidden.path}/messages`, { text: 'A question' });
    expect(updates).to.deep.equal([1]);
    expect((await api(owner).get(hidden.path)).body).to.deep.include({
      participants: [agent.id],
      subject: 'Changed meanwhile',
    });
  });

  it('the webhook also selects the agent when a conversation is routed again, and when a preflight ends', async () => {
    const { subscribe, open, reply, agent, guest, owner, project } = await aProjectWithSelection();
    const { path } = await open();
    const hidden = await open({ preflight: true, request_status: 50, text: 'welcome' });
    await subscribe();
    reply.body = { operators: [{ id_user: agent.id }] };
    expect((await api(owner).put(`${path}/departments`, {})).body.participants).to.deep.equal([agent.id]);
    await api(guest).post(`${hidden.path}/messages`, { text: 'A question' });
    expect((await api(owner).get(hidden.path)).body.participants).to.deep.equal([agent.id]);
    const history = (await api(owner).get(`/v3/${project.id}/subscriptions/history`)).body;
    expect(history.map(({ event }: { event: string }) => event)).to.include('operator.select');
  });

  it('an invalid answer, an unavailable agent and an agent at capacity leave the result of routing unchanged', async () => {
    const { subscribe, open, reply, agent, admin, owner, project } = await aProjectWithSelection();
    await subscribe();
    const reasonOf = async (path: string, user: string): Promise<string | undefined> => {
      const { decisions } = (await api(owner).get(`${path}/routing`)).body;
      return decisions[0].considered.find(({ id_user }: { id_user: string }) => id_user === user)?.reason;
    };
    const member = { id_project: project.id, id_user: agent.id };
    await ProjectUser.updateMany(
      { id_project: project.id, id_user: { $in: [admin.id, agent.id] } },
      { user_available: false },
    );
    for (const body of ['no JSON', {}, { operators: 'all' }, { operators: [{ id_user: agent.id }] }]) {
      reply.body = body;
      expect((await open()).participants, JSON.stringify(body)).to.deep.equal([owner.id]);
    }
    await ProjectUser.updateOne(member, { user_available: true, max_assigned_chat: 1 });
    expect((await open()).participants).to.deep.equal([agent.id]);
    const atCapacity = await open();
    expect(atCapacity.participants, 'at capacity').to.deep.equal([owner.id]);
    expect(await reasonOf(atCapacity.path, agent.id)).to.equal('at_capacity');
    reply.status = 500;
    await ProjectUser.updateOne(member, { max_assigned_chat: 5 });
    await ProjectUser.updateOne({ id_project: project.id, id_user: owner.id }, { user_available: false });
    expect((await open()).participants).to.deep.equal([agent.id]);
  });

  it('deleting the subscription ends the calls, and a global subscription to operator.select is rejected', async () => {
    const { subscribe, open, reply, agent, admin, project, payloads } = await aProjectWithSelection();
    await subscribe();
    reply.body = { operators: [{ id_user: agent.id }] };
    await open();
    const path = `/v3/${project.id}/subscriptions`;
    const [{ _id }] = (await api(admin).get(path)).body;
    await api(admin).delete(`${path}/${_id}`);
    await waitUntil(async () => {
      const callsBefore = payloads.length;
      await open();
      return payloads.length === callsBefore;
    });
    const isGlobal = { event: 'operator.select', target: 'https://hooks.example.com/a', global: true };
    expect((await api(await anInstanceAdmin()).post('/v3/subscriptions', isGlobal)).status).to.equal(422);
  });
});
