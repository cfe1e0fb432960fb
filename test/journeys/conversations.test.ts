/** One conversation, whoever else is at it: message and conversation agree, and each event is told once. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { Lead } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { Request } from '#shared/models/request.ts';
import { anApiProcess } from '../support/api-process.ts';
import { call } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';
import { expectInOrder } from '../support/tales.ts';

const MESSAGES = 200;
const RETRIES = 10;
const MANY_POINTS = { RATE_LIMIT_POINTS: '100000' };

describe('A conversation through two API processes', () => {
  let apis: Awaited<ReturnType<typeof anApiProcess>>[];

  before(async () => {
    apis = await Promise.all([anApiProcess(MANY_POINTS), anApiProcess(MANY_POINTS)]);
  });
  after(() => Promise.all(apis.map((api) => api.stop())));

  /** Posts through both processes in turn. */
  const aVisit = async () => {
    const { project, guest } = await aProject();
    const path = `/v3/${project.id}/requests/${randomUUID()}/messages`;
    const post = (at: number, body: object, headers = {}) =>
      call('POST', `${apis[at % 2]?.url}${path}`, {
        body,
        headers: { authorization: guest.authorization, ...headers },
      });
    return { id_project: project.id, post };
  };

  it('is opened once by 200 first messages at the same time, and has them all', async () => {
    const { id_project, post } = await aVisit();
    const answers = await Promise.all(times(MESSAGES, (at) => post(at, { text: `message ${at}` })));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    const [request, ...more] = await Request.find({ id_project }).lean();
    expect(more).to.deep.equal([]);
    expect(await Lead.countDocuments({ id_project })).to.equal(1);
    const messages = await Message.find({ id_project }).sort({ createdAt: 1, _id: 1 }).lean();
    expect(new Set(messages.map(({ text }) => text))).to.have.length(MESSAGES);

    const log = await changes(id_project);
    expectInOrder(log);
    const told = (name: string) => log.filter(({ event }) => event === name).map(({ record }) => record);
    for (const once of ['lead.create', 'request.create', 'request.assigned'])
      expect(told(once), once).to.have.length(1);
    expect(told('message.create')).to.have.members(messages.map(({ _id }) => String(_id)));
    // Every try that gave the conversation to a teammate changed a load.
    const others = log.filter(({ event }) => event !== 'project_user.update');
    expect(others).to.have.length(MESSAGES + ['project', 'visitor', 'lead', 'request', 'assigned'].length);
    expect(request?.attributes.last_message._id).to.equal(told('message.create').at(-1));
  });

  it('has one message of ten tries under one Idempotency-Key, with ten equal answers', async () => {
    const { id_project, post } = await aVisit();
    const answers = await Promise.all(times(RETRIES, (at) => post(at, { text: 'Once' }, { 'idempotency-key': 'k' })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).to.have.length(1);
    expect(await Message.countDocuments({ id_project })).to.equal(1);
  });

  it('has one message of ten tries under one client_message_id, each a message of its own to the other process', async () => {
    const { id_project, post } = await aVisit();
    const answers = await Promise.all(times(RETRIES, (at) => post(at, { text: 'Once', client_message_id: 'c' })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body._id}`))).to.have.length(1);
    expect(await Message.countDocuments({ id_project })).to.equal(1);
    expect((await changes(id_project)).filter(({ event }) => event === 'message.create')).to.have.length(1);
  });
});
