/** Messages on their way to bots that listen somewhere else. */
import { expect } from 'chai';
import { begin, cursorOf, hearerOf, replay } from '#shared/domain/events/listeners.ts';
import { overdue } from '#shared/domain/conversations/bot-call-queue.ts';
import { Bot } from '#shared/models/bot.ts';
import { DeadEvent } from '#shared/models/dead-event.ts';
import { BotCall } from '#shared/models/bot-call.ts';
import { aBot, aBotServer, type Call } from '../support/bots.ts';
import { changes } from '../support/changes.ts';
import { anApi, api, call } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';
import callBot from '../../workers/events/call-bot.ts';
import { listen } from '../../workers/steps/listen.ts';
import callBots from '../../workers/bots/call.ts';

const LISTENER = 'events.call-bot';
const listening = { ...hearerOf(LISTENER), work: callBot };

/** A conversation with a bot whose server is at hand. */
const aConversationWithBot = async ({ type = 'external', url }: { type?: string; url?: string } = {}) => {
  const server = await aBotServer();
  const { project, guest, ...others } = await aProject();
  const bot = await aBot(project.id, { type, url: url ?? server.url });
  const path = `/v3/${project.id}/requests/with-a-bot`;
  const say = (text: string, by = guest, more = {}) => api(by).post(`${path}/messages`, { text, ...more });
  const heard = async () => {
    await changes(project.id);
    await listen(listening);
    for (const due of await overdue())
      if (due.id_project === project.id) await callBots(due, new AbortController().signal);
    return server.calls.map(({ body }) => body.payload.text);
  };
  const statusOf = async (_id: string) => (await api(others.owner).get(`${path}/messages/${_id}`)).body.status;
  await say('Hello', guest, { participants: [`bot_${bot.id}`] });
  return { ...server, ...others, project, guest, bot, path, say, heard, statusOf };
};

/** Every attempt of the project's calls that waits for its time is due. */
const passTime = (id_project: string) =>
  BotCall.updateMany({ id_project, due: { $exists: true } }, { $set: { due: new Date() } });

describe('A bot that listens somewhere else', () => {
  before(() => begin([listening]));

  it('is told of each message with its conversation and a token, and may answer with that', async () => {
    const { say, heard, calls, bot, project, guest, path } = await aConversationWithBot();
    const { body: message } = await say('Any news?');
    expect(await heard()).to.deep.equal(['Hello', 'Any news?']);
    const { method, headers, body } = calls[1] as Call;
    expect(method).to.equal('POST');
    expect(headers).to.include({ 'webhook-id': message._id, 'content-type': 'application/json' });
    expect(body).to.have.all.keys('timestamp', 'payload', 'hook', 'token');
    expect(body.hook).to.include({ _id: bot.id, name: 'Robbie' }).and.not.have.property('secret');
    const { request, ...told } = body.payload;
    expect(told).to.include({ _id: message._id, text: 'Any news?', id_project: project.id });
    expect(request).to.include({ request_id: 'with-a-bot' }).and.not.have.property('snapshot');
    expect(request.lead).to.include({ lead_id: guest.id });
    expect(request, 'opened with participants').to.not.have.property('department');
    expect(request.participatingBots).to.deep.equal([body.hook]);
    expect(JSON.stringify(body)).to.not.include(
      String((await Bot.findById(bot.id, '+secret', { anyProject: true }))?.secret),
    );
    const answer = await call('POST', `${await anApi()}${path}/messages`, {
      body: { text: 'None' },
      headers: { authorization: `JWT ${body.token}` },
    });
    expect(answer.status).to.equal(200);
    expect(answer.body).to.include({ sender: bot.id, senderFullname: 'Robbie' });
    expect(await heard()).to.have.length(2);
  });

  it('gets a token with each call that ends after 15 minutes', async () => {
    const { heard, calls } = await aConversationWithBot();
    await heard();
    const [, payload = ''] = String(calls[0]?.body.token).split('.');
    const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(exp - iat).to.equal(15 * 60);
  });

  it('moves the status of what it got forward to received, and is told no second time by a replay', async () => {
    const { say, heard, statusOf, project } = await aConversationWithBot();
    const start = await cursorOf(LISTENER);
    const { body } = await say('Any news?');
    expect(await statusOf(body._id)).to.equal(0);
    await heard();
    expect(await statusOf(body._id)).to.equal(200);
    const updates = (await changes(project.id)).filter(({ record }) => record === body._id).map(({ event }) => event);
    expect(updates).to.deep.equal(['message.create', 'message.update', 'message.update', 'message.received']);
    await replay(listening, start);
    expect(await heard()).to.have.length(2);
    const seen = await say('Seen already', undefined, { status: 300 });
    await heard();
    expect(await statusOf(seen.body._id)).to.equal(300);
  });

  it('is not told of commands, of its own words, nor of the system but the word that starts it', async () => {
    const { say, heard, bot, agent, guest } = await aConversationWithBot();
    await say('I am Robbie', agent, { sender: `bot_${bot.id}` });
    await say('So am I', bot);
    await say('Somebody came', agent, { sender: 'system' });
    await say('\\start', agent, { sender: 'system' });
    await say('A human is there, too', agent);
    expect(await heard()).to.deep.equal(['Hello', '\\start', 'A human is there, too']);
    await say('\\agent', guest);
    await say('Nobody but humans hears this', guest);
    expect(await heard()).to.have.length(3);
  });

  it('is told of a direct message, which has no conversation', async () => {
    const { heard, bot, agent, project, calls } = await aConversationWithBot();
    await heard();
    const direct = { recipient: `bot_${bot.id}`, recipientFullname: 'Robbie', text: 'Only you' };
    await api(agent).post(`/v3/${project.id}/messages`, direct);
    expect(await heard()).to.deep.equal(['Hello', 'Only you']);
    expect(calls[1]?.body.payload).to.not.have.property('request');
  });

  it('of the internal kind, in the trash, or of another project is told nothing', async () => {
    const internal = await aConversationWithBot({ type: 'internal' });
    expect(await internal.heard()).to.deep.equal([]);
    const { say, heard, bot, project } = await aConversationWithBot();
    await Bot.updateOne({ id_project: project.id, _id: bot.id }, { $set: { trashed: true } });
    await say('Anybody?');
    expect(await heard()).to.deep.equal([]);
    const other = await aProject();
    await api(other.guest).post(`/v3/${other.project.id}/requests/x/messages`, {
      text: 'Hi',
      participants: [`bot_${(await aBot(project.id, { type: 'external', url: 'http://127.0.0.1:9/' })).id}`],
    });
    await changes(other.project.id);
    expect(await heard()).to.deep.equal([]);
    expect(
      await BotCall.countDocuments({ id_project: { $in: [other.project.id, project.id] }, given_up: true }),
    ).to.equal(0);
    expect(await BotCall.countDocuments({ id_project: other.project.id })).to.equal(0);
  });

  it('that fails is told again under the same id until it has it; later words wait for that', async () => {
    const { say, heard, answers, calls, project } = await aConversationWithBot();
    answers.push({ status: 503 }, { status: 429 });
    await say('Second');
    for (let left = 4; left; left -= 1) {
      await heard();
      await passTime(project.id);
    }
    expect(calls.map(({ body }) => body.payload.text)).to.deep.equal(['Hello', 'Hello', 'Hello', 'Second']);
    expect(new Set(calls.slice(0, 3).map(({ headers }) => headers['webhook-id']))).to.have.length(1);
  });

  it('that fails five times is told no more, until an instance administrator replays the dead letter', async () => {
    const { heard, say, answers, calls, project } = await aConversationWithBot();
    const start = await cursorOf(LISTENER);
    answers.push(...times(5, () => ({ status: 503 })));
    await say('Second');
    for (let left = 6; left; left -= 1) {
      await heard();
      await passTime(project.id);
    }
    const texts = () => calls.map(({ body }) => body.payload.text);
    expect(texts()).to.deep.equal([...times(5, () => 'Hello'), 'Second']);
    const dead = await DeadEvent.find({ id_project: project.id, by: LISTENER }).lean();
    expect(dead.map(({ code }) => code)).to.deep.equal(['TRIED_IN_VAIN']);
    await replay(listening, start);
    await heard();
    expect(texts().slice(6)).to.deep.equal(['Hello']);
  });

  for (const [what, answer] of Object.entries({
    'refuses the message': { status: 410 },
    'sends it elsewhere': { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
  }))
    it(`that ${what} is not asked again, and the operator is told`, async () => {
      const { heard, answers, project } = await aConversationWithBot();
      answers.push(answer);
      expect(await heard()).to.deep.equal(['Hello']);
      expect(await heard()).to.deep.equal(['Hello']);
      expect(await DeadEvent.countDocuments({ id_project: project.id, by: LISTENER })).to.equal(1);
    });

  it('is not reached at a private address that nobody allowed (A4)', async () => {
    const { heard, calls, project } = await aConversationWithBot({ url: 'http://169.254.169.254/latest/meta-data' });
    await heard();
    expect(calls).to.deep.equal([]);
    expect(await DeadEvent.findOne({ id_project: project.id, by: LISTENER }).lean()).to.include({
      code: 'REFUSED_TARGET',
    });
  });
});
