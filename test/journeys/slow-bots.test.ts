/** One tenant's slow bots beside another tenant's fast one, with a real worker and relay. The tests hold and release the slow bot by hand. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { api } from '../support/api.ts';
import { aBot, aBotServer } from '../support/bots.ts';
import { aFleet, type Fleet, type Member } from '../support/fleet.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';
import { until } from '../support/until.ts';

const PER_BOT = 4;
const PER_PROJECT = 16;

/** A project with one bot; `say` opens a conversation with it, or goes on with one. */
const aTenant = async () => {
  const server = await aBotServer();
  const { project, guest, agent } = await aProject();
  const botAt = async (url: string) => `bot_${(await aBot(project.id, { type: 'external', url })).id}`;
  const bot = await botAt(server.url);
  const say = async (text: string, { at = randomUUID(), to = bot } = {}) => {
    await api(guest).post(`/v3/${project.id}/requests/${at}/messages`, { text, participants: [to] });
    return at;
  };
  const sayAll = (at: string, texts: string[]) =>
    api(agent).post(
      `/v3/${project.id}/requests/${at}/messages/multi`,
      texts.map((text) => ({ text })),
    );
  const heard = () => server.calls.map(({ body }) => body.payload.text as string);
  return { ...server, project, botAt, say, sayAll, heard };
};

describe('Bots of several projects', function () {
  this.timeout(60_000);
  let fleet: Fleet;
  let worker: Member;

  before(async () => {
    fleet = await aFleet({ LEASE_SECONDS: '60' });
    worker = await fleet.worker();
  });
  after(() => fleet.close());

  for (const count of [10, 100])
    it(`a bot that holds ${count} messages delays no message to the bot of another project, and gets its own in order`, async () => {
      const [slow, fast] = await Promise.all([aTenant(), aTenant()]);
      const release = slow.hold();
      const at = await slow.say('first');
      const texts = times(count, (each) => `word ${each}`);
      await slow.sayAll(at, texts);
      await until(() => slow.calls.length === 1, 10);
      const conversation = await fast.say('one');
      await fast.say('two', { at: conversation });
      await until(() => fast.calls.length === 2, 8);
      expect(fast.heard()).to.deep.equal(['one', 'two']);
      expect(slow.heard(), 'the slow bot is still at its first message').to.deep.equal(['first']);
      release();
      await until(() => slow.calls.length === count + 1, 30);
      expect(slow.heard()).to.deep.equal(['first', ...texts]);
    });

  it('a bot that holds delays no other bot of its project, and has at most four calls at once', async () => {
    const slow = await aTenant();
    const other = await aBotServer();
    const to = await slow.botAt(other.url);
    const release = slow.hold();
    for (const each of times(7, String)) await slow.say(each);
    await until(() => slow.open.now === PER_BOT, 10);
    await slow.say('to the other bot', { to });
    await until(() => other.calls.length === 1, 8);
    expect(slow.open.most).to.equal(PER_BOT);
    release();
    await until(() => slow.calls.length === 7, 20);
    expect(slow.open.most).to.equal(PER_BOT);
    expect(slow.heard().toSorted()).to.deep.equal(times(7, String));
  });

  it('many slow bots of one project have at most sixteen calls at once and delay no other project', async () => {
    const [slow, fast] = await Promise.all([aTenant(), aTenant()]);
    const release = slow.hold();
    const bots = await Promise.all(times(6, () => slow.botAt(slow.url)));
    for (const to of bots) for (const each of times(PER_BOT, String)) await slow.say(each, { to });
    await until(() => slow.open.now === PER_PROJECT, 10);
    await fast.say('hello');
    await until(() => fast.calls.length === 1, 8);
    release();
    await until(() => slow.calls.length === 6 * PER_BOT, 20);
    expect(slow.open.most).to.equal(PER_PROJECT);
  });

  it('a call in the hands of a killed worker is made again under the same id, and those behind it follow', async () => {
    const tenant = await aTenant();
    const release = tenant.hold();
    const at = await tenant.say('first');
    await tenant.say('second', { at });
    await until(() => tenant.calls.length === 1, 10);
    await worker.end('SIGKILL');
    release();
    worker = await fleet.worker();
    await until(() => tenant.calls.length === 3, 45);
    expect(tenant.heard()).to.deep.equal(['first', 'first', 'second']);
    const [one, again] = tenant.calls.map(({ headers }) => headers['webhook-id']);
    expect(one).to.equal(again);
  });
});
