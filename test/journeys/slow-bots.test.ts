/**
 * Slow bots of one project and a fast bot of another one, with a worker process and its relay. The tests hold and
 * release the responses of the slow bots.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aBot, aBotServer } from '../support/bots.ts';
import { aFleet, type Fleet, type FleetProcess } from '../support/fleet.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

const MAX_CALLS_PER_BOT = 4;
const MAX_CALLS_PER_PROJECT = 16;

/** A project with one bot. `postToBot` posts to a new conversation with the bot, or to `conversation`. */
const aTenant = async () => {
  const server = await aBotServer();
  const { project, guest, agent } = await aProject();
  const botAt = async (url: string) => `bot_${(await aBot(project.id, { type: 'external', url })).id}`;
  const bot = await botAt(server.url);
  const postToBot = async (text: string, { conversation = randomUUID(), botId = bot } = {}) => {
    await api(guest).post(`/v3/${project.id}/requests/${conversation}/messages`, { text, participants: [botId] });
    return conversation;
  };
  const importToBot = (conversation: string, texts: string[]) =>
    api(agent).post(
      `/v3/${project.id}/requests/${conversation}/messages/multi`,
      texts.map((text) => ({ text })),
    );
  const receivedTexts = () => server.calls.map(({ body }) => body.payload.text as string);
  return { ...server, project, botAt, postToBot, importToBot, receivedTexts };
};

describe('Fairness between bots', function () {
  this.timeout(60_000);
  let fleet: Fleet;
  let worker: FleetProcess;

  before(async () => {
    fleet = await aFleet({ LEASE_SECONDS: '60' });
    worker = await fleet.worker();
  });
  after(() => fleet.close());

  for (const count of [2, 12])
    it(`a slow bot with ${count} pending messages does not delay the bot of another project, and gets its messages in order`, async () => {
      const [slow, fast] = await Promise.all([aTenant(), aTenant()]);
      const release = slow.hold();
      const slowConversation = await slow.postToBot('first');
      const texts = times(count, (each) => `word ${each}`);
      await slow.importToBot(slowConversation, texts);
      await waitUntil(() => slow.calls.length === 1, 10);
      const fastConversation = await fast.postToBot('one');
      await fast.postToBot('two', { conversation: fastConversation });
      await waitUntil(() => fast.calls.length === 2, 8);
      expect(fast.receivedTexts()).to.deep.equal(['one', 'two']);
      expect(slow.receivedTexts(), 'the slow bot still handles its first message').to.deep.equal(['first']);
      release();
      await waitUntil(() => slow.calls.length === count + 1);
      expect(slow.receivedTexts()).to.deep.equal(['first', ...texts]);
    });

  it('a slow bot does not delay another bot of its project, and has at most 4 concurrent calls', async () => {
    const slow = await aTenant();
    const other = await aBotServer();
    const to = await slow.botAt(other.url);
    const release = slow.hold();
    for (const each of times(7, String)) await slow.postToBot(each);
    await waitUntil(() => slow.concurrency.current === MAX_CALLS_PER_BOT, 10);
    await slow.postToBot('to the other bot', { botId: to });
    await waitUntil(() => other.calls.length === 1, 8);
    expect(slow.concurrency.max).to.equal(MAX_CALLS_PER_BOT);
    release();
    await waitUntil(() => slow.calls.length === 7);
    expect(slow.concurrency.max).to.equal(MAX_CALLS_PER_BOT);
    expect(slow.receivedTexts().toSorted()).to.deep.equal(times(7, String));
  });

  it('the slow bots of one project have at most 16 concurrent calls and do not delay another project', async () => {
    const [slow, fast] = await Promise.all([aTenant(), aTenant()]);
    const release = slow.hold();
    const bots = await Promise.all(times(5, () => slow.botAt(slow.url)));
    for (const to of bots)
      for (const each of times(MAX_CALLS_PER_BOT, String)) await slow.postToBot(each, { botId: to });
    await waitUntil(() => slow.concurrency.current === MAX_CALLS_PER_PROJECT, 10);
    await fast.postToBot('hello');
    await waitUntil(() => fast.calls.length === 1, 8);
    release();
    await waitUntil(() => slow.calls.length === 5 * MAX_CALLS_PER_BOT);
    expect(slow.concurrency.max).to.equal(MAX_CALLS_PER_PROJECT);
  });

  it('a bot call of a killed worker is repeated with the same webhook-id, before the calls for later messages', async () => {
    const tenant = await aTenant();
    const release = tenant.hold();
    const conversation = await tenant.postToBot('first');
    await tenant.postToBot('second', { conversation });
    await waitUntil(() => tenant.calls.length === 1, 10);
    await worker.end('SIGKILL');
    release();
    worker = await fleet.worker();
    await waitUntil(() => tenant.calls.length === 3, 45);
    expect(tenant.receivedTexts()).to.deep.equal(['first', 'first', 'second']);
    const [one, again] = tenant.calls.map(({ headers }) => headers['webhook-id']);
    expect(one).to.equal(again);
  });
});
