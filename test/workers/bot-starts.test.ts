/** The hidden message `\start`, which an external bot receives when it joins a conversation. */
import { expect } from 'chai';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { api } from '../support/api.ts';
import { callBotListener, LISTENER_NAME, makeDueCalls } from '../support/bot-calls.ts';
import { aBot, aBotServer } from '../support/bots.ts';
import { aProject } from '../support/people.ts';
import { stopRelay } from '../support/relay.ts';

/** A bot whose server records start messages, too. `deliver` makes the due calls and returns their messages. */
const aBotWithRecordedStarts = async () => {
  const server = await aBotServer({ recordsStarts: true });
  const { project, guest, agent } = await aProject();
  const bot = await aBot(project.id, { type: 'external', url: server.url });
  const path = `/v3/${project.id}/requests`;
  const open = (id: string, text: string, more = {}) => api(guest).post(`${path}/${id}/messages`, { text, ...more });
  const handOver = (id: string) => api(agent).put(`${path}/${id}/replace`, { id: bot.id });
  const deliver = async () => {
    await makeDueCalls(project.id);
    return server.calls.splice(0).map(({ body }) => body.payload);
  };
  return { project, guest, bot, path, answers: server.answers, open, handOver, deliver };
};

describe('Start messages of bots', () => {
  before(() => initCursors([callBotListener]));

  it('a bot receives a hidden start message before the first message of a conversation', async () => {
    const { guest, bot, path, open, handOver, deliver } = await aBotWithRecordedStarts();
    await open('opened-with-bot', 'Hello', { participants: [`bot_${bot.id}`] });
    const [start, hello] = await deliver();
    expect(start).to.deep.include({
      text: '\\start',
      sender: 'system',
      attributes: { subtype: 'info', updateconversation: false },
    });
    expect(start.request).to.include({ request_id: 'opened-with-bot' });
    expect(hello).to.include({ text: 'Hello' });
    const { body } = await api(guest).get(`${path}/opened-with-bot/messages`);
    expect(body, 'the start message is not stored').to.have.length(1).with.nested.property('[0].text', 'Hello');
    await open('started-by-client', '\\start', { participants: [`bot_${bot.id}`] });
    expect((await deliver()).map(({ text }) => text)).to.deep.equal(['\\start']);
    await open('handed-to-bot', 'Hi');
    await handOver('handed-to-bot');
    expect((await deliver()).map(({ text }) => text)).to.deep.equal(['\\start']);
  });

  it('a bot that joins before earlier messages are relayed receives one start message and only the messages posted after it joined', async () => {
    const { open, handOver, deliver } = await aBotWithRecordedStarts();
    await stopRelay();
    await open('relayed-late', 'Hi');
    await open('relayed-late', 'Anybody there?');
    await handOver('relayed-late');
    await open('relayed-late', 'Hello bot');
    expect((await deliver()).map(({ text }) => text)).to.deep.equal(['\\start', 'Hello bot']);
  });

  it('the dead letter of a start message names the event with which the bot joined', async () => {
    const { project, answers, open, handOver, deliver } = await aBotWithRecordedStarts();
    await open('handed-to-bot', 'Hi');
    await handOver('handed-to-bot');
    answers.push({ status: 410 });
    await deliver();
    const dead = await DeadLetter.find({ id_project: project.id, failedBy: LISTENER_NAME }).lean();
    expect(dead.map(({ event }) => event)).to.deep.equal(['request.participants.update']);
  });
});
