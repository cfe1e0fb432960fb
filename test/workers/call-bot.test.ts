/** Delivery of messages to external bots. */
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { cursorOf, initCursors, replay } from '#shared/domain/events/listeners.ts';
import { Bot } from '#shared/models/bot.ts';
import { BotCall } from '#shared/models/bot-call.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { anApi, api, call } from '../support/api.ts';
import { callBotListener, LISTENER_NAME, makeDueCalls } from '../support/bot-calls.ts';
import { aBot, aBotServer, type BotServerCall } from '../support/bots.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';

/**
 * A conversation with a bot and its server. `deliver` makes the calls that are due and returns all texts that the
 * server has received.
 */
const aConversationWithBot = async ({ type = 'external', url }: { type?: string; url?: string } = {}) => {
  const server = await aBotServer();
  const { project, guest, ...others } = await aProject();
  const bot = await aBot(project.id, { type, url: url ?? server.url });
  const path = `/v3/${project.id}/requests/with-a-bot`;
  const postMessage = (text: string, caller = guest, more = {}) =>
    api(caller).post(`${path}/messages`, { text, ...more });
  const deliver = async () => {
    await makeDueCalls(project.id);
    return server.calls.map(({ body }) => body.payload.text);
  };
  const statusOf = async (_id: string) => (await api(others.owner).get(`${path}/messages/${_id}`)).body.status;
  await postMessage('Hello', guest, { participants: [`bot_${bot.id}`] });
  return { ...server, ...others, project, guest, bot, path, postMessage, deliver, statusOf };
};

/** Makes the due calls `count` times; before each repetition, makes every open call due. */
const deliverRepeatedly = async (id_project: string, count: number): Promise<void> => {
  for (let made = 0; made < count; made += 1) {
    await makeDueCalls(id_project);
    await BotCall.updateMany({ id_project, dueAt: { $exists: true } }, { $set: { dueAt: new Date() } });
  }
};

describe('External bots', () => {
  before(() => initCursors([callBotListener]));

  it('an external bot receives each message with its conversation and a token, and can answer with that token', async () => {
    const { postMessage, deliver, calls, bot, project, guest, path } = await aConversationWithBot();
    const { body: message } = await postMessage('Any news?');
    expect(await deliver()).to.deep.equal(['Hello', 'Any news?']);
    const { method, headers, body } = calls[1] as BotServerCall;
    expect(method).to.equal('POST');
    expect(headers).to.include({ 'webhook-id': message._id, 'content-type': 'application/json' });
    const { secret } = await Bot.findById(bot.id, '+secret', { anyProject: true }).orFail();
    const signed = `${message._id}.${String(headers['webhook-timestamp'])}.${JSON.stringify(body)}`;
    const signature = createHmac('sha256', secret).update(signed).digest('base64');
    expect(headers['webhook-signature']).to.equal(`v1,${signature}`);
    expect(body).to.have.all.keys('timestamp', 'payload', 'hook', 'token');
    expect(body.hook).to.include({ _id: bot.id, name: 'Robbie' }).and.not.have.property('secret');
    const { request, ...payload } = body.payload;
    expect(payload).to.include({ _id: message._id, text: 'Any news?', id_project: project.id });
    expect(request).to.include({ request_id: 'with-a-bot' }).and.not.have.property('snapshot');
    expect(request.lead).to.include({ lead_id: guest.id });
    expect(request, 'a conversation opened with participants').to.not.have.property('department');
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
    expect(await deliver()).to.have.length(2);
  });

  it('the token of a bot call expires after 15 minutes', async () => {
    const { deliver, calls } = await aConversationWithBot();
    await deliver();
    const [, payload = ''] = String(calls[0]?.body.token).split('.');
    const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(exp - iat).to.equal(15 * 60);
  });

  it('a message that a bot has received gets the status 200 (received), and a replay of its event does not deliver it again', async () => {
    const { postMessage, deliver, statusOf, project } = await aConversationWithBot();
    const start = await cursorOf(LISTENER_NAME);
    const { body } = await postMessage('Any news?');
    expect(await statusOf(body._id)).to.equal(0);
    await deliver();
    expect(await statusOf(body._id)).to.equal(200);
    const updates = (await relayedChanges(project.id))
      .filter(({ record }) => record === body._id)
      .map(({ event }) => event);
    expect(updates).to.deep.equal(['message.create', 'message.update', 'message.update', 'message.received']);
    await replay(callBotListener, start);
    expect(await deliver()).to.have.length(2);
    const seen = await postMessage('Seen already', undefined, { status: 300 });
    await deliver();
    expect(await statusOf(seen.body._id)).to.equal(300);
  });

  it('a bot receives no commands, none of its own messages, and no system messages except the start command', async () => {
    const { postMessage, deliver, bot, agent, guest } = await aConversationWithBot();
    await postMessage('I am Robbie', agent, { sender: `bot_${bot.id}` });
    await postMessage('So am I', bot);
    await postMessage('Somebody came', agent, { sender: 'system' });
    await postMessage('/start', agent, { sender: 'system' });
    await postMessage('A human is there, too', agent);
    expect(await deliver()).to.deep.equal(['Hello', '/start', 'A human is there, too']);
    await postMessage('\\agent', guest);
    await postMessage('Nobody but humans hears this', guest);
    expect(await deliver()).to.have.length(3);
  });

  it('a bot receives a direct message without a conversation', async () => {
    const { deliver, bot, agent, project, calls } = await aConversationWithBot();
    await deliver();
    const direct = { recipient: `bot_${bot.id}`, recipientFullname: 'Robbie', text: 'Only you' };
    await api(agent).post(`/v3/${project.id}/messages`, direct);
    expect(await deliver()).to.deep.equal(['Hello', 'Only you']);
    expect(calls[1]?.body.payload).to.not.have.property('request');
  });

  it('an internal bot without intents, a trashed bot and a bot of another project receive no messages', async () => {
    const internal = await aConversationWithBot({ type: 'internal' });
    expect(await internal.deliver()).to.deep.equal([]);
    const { postMessage, deliver, bot, project } = await aConversationWithBot();
    await Bot.updateOne({ id_project: project.id, _id: bot.id }, { $set: { trashed: true } });
    await postMessage('Anybody?');
    expect(await deliver()).to.deep.equal([]);
    const other = await aProject();
    await api(other.guest).post(`/v3/${other.project.id}/requests/x/messages`, {
      text: 'Hi',
      participants: [`bot_${(await aBot(project.id, { type: 'external', url: 'http://127.0.0.1:9/' })).id}`],
    });
    await relayedChanges(other.project.id);
    expect(await deliver()).to.deep.equal([]);
    expect(
      await BotCall.countDocuments({ id_project: { $in: [other.project.id, project.id] }, given_up: true }),
    ).to.equal(0);
    expect(await BotCall.countDocuments({ id_project: other.project.id })).to.equal(0);
  });

  it('a failed bot call is retried with the same webhook-id, and later messages wait for it', async () => {
    const { postMessage, answers, calls, project } = await aConversationWithBot();
    answers.push({ status: 503 }, { status: 429 });
    await postMessage('Second');
    await deliverRepeatedly(project.id, 4);
    expect(calls.map(({ body }) => body.payload.text)).to.deep.equal(['Hello', 'Hello', 'Hello', 'Second']);
    expect(new Set(calls.slice(0, 3).map(({ headers }) => headers['webhook-id']))).to.have.length(1);
  });

  it('a bot call that has failed five times becomes a dead letter, and a replay of its event makes the call again', async () => {
    const { deliver, postMessage, answers, calls, project } = await aConversationWithBot();
    const start = await cursorOf(LISTENER_NAME);
    answers.push(...times(5, () => ({ status: 503 })));
    await postMessage('Second');
    await deliverRepeatedly(project.id, 6);
    const texts = () => calls.map(({ body }) => body.payload.text);
    expect(texts()).to.deep.equal([...times(5, () => 'Hello'), 'Second']);
    const dead = await DeadLetter.find({ id_project: project.id, failedBy: LISTENER_NAME }).lean();
    expect(dead.map(({ code }) => code)).to.deep.equal(['RETRIES_EXHAUSTED']);
    await replay(callBotListener, start);
    await deliver();
    expect(texts().slice(6)).to.deep.equal(['Hello']);
  });

  it('a bot call that is replayed two hours after it was recorded is retried again after a failed attempt', async () => {
    const { deliver, answers, calls, project } = await aConversationWithBot();
    const start = await cursorOf(LISTENER_NAME);
    answers.push({ status: 410 }, { status: 503 });
    await deliver();
    const recordedAt = new Date(Date.now() - 2 * 3_600_000);
    const options = { timestamps: false, overwriteImmutable: true };
    await BotCall.updateMany({ id_project: project.id }, { $set: { createdAt: recordedAt } }, options);
    await replay(callBotListener, start);
    await deliverRepeatedly(project.id, 2);
    expect(calls).to.have.length(3);
    expect(await BotCall.countDocuments({ id_project: project.id, given_up: true })).to.equal(0);
  });

  for (const [outcome, answer] of Object.entries({
    'is rejected with 410': { status: 410 },
    'is redirected': { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
  }))
    it(`a bot call that ${outcome} is not retried and becomes a dead letter`, async () => {
      const { deliver, answers, project } = await aConversationWithBot();
      answers.push(answer);
      expect(await deliver()).to.deep.equal(['Hello']);
      expect(await deliver()).to.deep.equal(['Hello']);
      expect(await DeadLetter.countDocuments({ id_project: project.id, failedBy: LISTENER_NAME })).to.equal(1);
    });

  it('a bot at a private address outside FETCH_ALLOW is not called', async () => {
    const { deliver, calls, project } = await aConversationWithBot({ url: 'http://169.254.169.254/latest/meta-data' });
    await deliver();
    expect(calls).to.deep.equal([]);
    expect(await DeadLetter.findOne({ id_project: project.id, failedBy: LISTENER_NAME }).lean()).to.include({
      code: 'TARGET_NOT_ALLOWED',
    });
  });
});
