/** Concurrent calls to one conversation: its messages and its record agree, and each event is relayed once. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { Lead } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { anApi, call } from '../support/api.ts';
import { theOtherApi } from '../support/api-process.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { expectOrderedWithoutDuplicates } from '../support/event-expectations.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';

const MESSAGE_COUNT = 60;
const RETRY_COUNT = 10;

describe('Concurrent messages through two API processes', () => {
  let urls: string[];

  before(async () => {
    urls = [await anApi(), (await theOtherApi()).url];
  });

  /** A visitor with a new conversation. `post` calls the first process for an even `index`, otherwise the second. */
  const aVisitorSession = async () => {
    const { project, guest } = await aProject();
    const path = `/v3/${project.id}/requests/${randomUUID()}/messages`;
    const post = (index: number, body: object, headers = {}) =>
      call('POST', `${urls[index % 2]}${path}`, {
        body,
        headers: { authorization: guest.authorization, ...headers },
      });
    return { id_project: project.id, post };
  };

  it('60 concurrent first messages open one conversation, which contains all of them', async () => {
    const { id_project, post } = await aVisitorSession();
    const responses = await Promise.all(times(MESSAGE_COUNT, (index) => post(index, { text: `message ${index}` })));
    expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]));
    const [request, ...more] = await Conversation.find({ id_project }).lean();
    expect(more).to.deep.equal([]);
    expect(await Lead.countDocuments({ id_project })).to.equal(1);
    const messages = await Message.find({ id_project }).sort({ createdAt: 1, _id: 1 }).lean();
    expect(new Set(messages.map(({ text }) => text))).to.have.length(MESSAGE_COUNT);

    const log = await relayedChanges(id_project);
    expectOrderedWithoutDuplicates(log);
    const recordsOfEvent = (name: string) => log.filter(({ event }) => event === name).map(({ record }) => record);
    for (const event of ['lead.create', 'request.create', 'request.assigned'])
      expect(recordsOfEvent(event), event).to.have.length(1);
    expect(recordsOfEvent('message.create')).to.have.members(messages.map(({ _id }) => String(_id)));
    // Each attempt to assign the conversation changes the load of a teammate, which emits project_user.update.
    const others = log.filter(({ event }) => event !== 'project_user.update');
    expect(others).to.have.length(MESSAGE_COUNT + ['project', 'visitor', 'lead', 'request', 'assigned'].length);
    expect(request?.attributes.last_message._id).to.equal(recordsOfEvent('message.create').at(-1));
  });

  it('ten concurrent POSTs with one Idempotency-Key create one message and get the same answer', async () => {
    const { id_project, post } = await aVisitorSession();
    const responses = await Promise.all(
      times(RETRY_COUNT, (index) => post(index, { text: 'Once' }, { 'idempotency-key': 'k' })),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).to.have.length(1);
    expect(await Message.countDocuments({ id_project })).to.equal(1);
  });

  it('ten concurrent POSTs with one client_message_id through two processes create one message', async () => {
    const { id_project, post } = await aVisitorSession();
    const responses = await Promise.all(
      times(RETRY_COUNT, (index) => post(index, { text: 'Once', client_message_id: 'c' })),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${body._id}`))).to.have.length(1);
    expect(await Message.countDocuments({ id_project })).to.equal(1);
    expect((await relayedChanges(id_project)).filter(({ event }) => event === 'message.create')).to.have.length(1);
  });
});
