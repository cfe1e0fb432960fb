/** Replies of internal bots. */
import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import { findOverdue } from '#shared/domain/conversations/bots/bot-call-queue.ts';
import { findListener, initCursors } from '#shared/domain/events/listeners.ts';
import { BotCall } from '#shared/models/bot-call.ts';
import callBotsJob from '../../workers/bots/call.ts';
import enqueueBotCallJob from '../../workers/events/enqueue-bot-call.ts';
import { consumeEvents } from '../../workers/listeners/consume-events.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aTextBody } from '../support/content-bodies.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { onSuiteEnd } from '../support/suite-cleanup.ts';
import { listenOnUnusedPort } from '../support/unused-port.ts';

const callBotListener = { ...findListener('events.enqueue-bot-call'), handle: enqueueBotCallJob };

type Json = ReturnType<typeof JSON.parse>;

/** A webhook that returns the next of `answers` or, if none is left, 500. */
const aWebhook = async () => {
  const calls: Json[] = [];
  const answers: { status: number; body: string }[] = [];
  const server = createServer(async (request, response) => {
    calls.push({ headers: request.headers, body: JSON.parse(await readText(request)) });
    const { status, body } = answers.shift() ?? { status: 500, body: '' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const url = `http://127.0.0.1:${await listenOnUnusedPort(server)}/fulfil`;
  onSuiteEnd(async () => void server.close());
  return { url, calls, answers };
};

/** Makes the due calls of the project. On a slow machine, they may take more than one time slice. */
const makeDueCalls = async (project: string): Promise<void> => {
  const due = (await findOverdue()).filter(({ id_project }) => id_project === project);
  for (const conversation of due) await callBotsJob(conversation, new AbortController().signal);
  if (due.length > 0) await makeDueCalls(project);
};

describe('Internal bot', () => {
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let conversations = 0;

  /** A conversation with a bot that has these intents. `say` returns the bot's replies to a visitor's text. */
  const talkTo = async (intents: object[], settings: object = {}) => {
    const { project, admin, guest } = fixture;
    const root = `/v3/${project.id}`;
    const file = { name: 'Robbie', intents, ...settings };
    const json = { 'content-type': 'application/json' };
    const bot = (await api(admin).post(`${root}/bots/importjson/null?create=true`, file, json)).body;
    const path = `${root}/requests/talk-${(conversations += 1)}`;
    const read = async (): Promise<Json[]> => (await api(admin).get(`${path}/messages`)).body;
    let seen = 0;
    const reply = async () => {
      await relayedChanges(project.id);
      await consumeEvents(callBotListener);
      await makeDueCalls(project.id);
      const all = await read();
      return all.slice(seen).filter(({ sender }) => sender === `bot_${bot._id}`);
    };
    const say = async (text: string, more: object = {}) => {
      await reply();
      seen = (await read()).length;
      await api(guest).post(`${path}/messages`, { text, participants: [`bot_${bot._id}`], ...more });
      return reply();
    };
    const allTexts = async () => (await read()).map(({ text }) => text);
    return { bot, path, root, say, allTexts };
  };

  before(async () => {
    fixture = await aProject();
    await initCursors([callBotListener]);
  });

  it('greets the visitor when the conversation begins, answers by phrase and by similarity, and falls back to its default intent', async () => {
    const { say, bot } = await talkTo([
      {
        intent_display_name: 'start',
        question: '\\start',
        actions: [{ _tdActionType: 'intent', intentName: 'welcome' }],
      },
      { intent_display_name: 'welcome', actions: [{ _tdActionType: 'reply', text: 'Welcome!' }] },
      { intent_display_name: 'hours', question: 'When are you open?\nOpening hours', answer: 'From nine to five.' },
      { intent_display_name: 'off', question: 'Are you off?', answer: 'Never sent', enabled: false },
      { intent_display_name: 'defaultFallback', question: 'defaultFallback', answer: 'Pardon?' },
    ]);
    const first = await say('opening hours!');
    expect(first.map(({ text }) => text)).to.deep.equal(['Welcome!', 'From nine to five.']);
    expect(first[1]).to.include({ sender: `bot_${bot._id}`, createdBy: `bot_${bot._id}`, senderFullname: 'Robbie' });
    expect(first[1].attributes.intent_info).to.deep.include({
      intent_name: 'hours',
      is_fallback: false,
      confidence: 100,
    });
    const [similar] = await say('Please tell me your opening hours');
    expect(similar).to.include({ text: 'From nine to five.' });
    expect(similar.attributes.intent_info.confidence).to.be.within(1, 99);
    const [fallback] = await say('Xyzzy plugh');
    expect(fallback).to.include({ text: 'Pardon?' });
    expect(fallback.attributes.intent_info).to.include({ intent_name: 'DEFAULT_FALLBACK', is_fallback: true });
    expect((await say('Are you off?'))[0].text).to.not.equal('Never sent');
    const missed = (await relayedChanges(fixture.project.id)).filter(
      ({ event }) => event === 'event.emit.faqbot.answer_not_found',
    );
    expect(missed.map(({ payload }) => payload.attributes.message.text)).to.include('Xyzzy plugh');
  });

  it('sends images and buttons, and runs the intent that a button names', async () => {
    const { say } = await talkTo([
      {
        intent_display_name: 'menu',
        question: 'menu',
        answer: 'Look\ntdImage,w200 h100:https://example.com/a.png\n* More tdAction:more',
      },
      { intent_display_name: 'more', answer: 'Here is more' },
    ]);
    const [menu] = await say('Menu');
    expect(menu).to.deep.include({ text: 'Look', type: 'image' });
    expect(menu.metadata).to.deep.equal({ src: 'https://example.com/a.png', width: 200, height: 100 });
    expect(menu.attributes.attachment.buttons).to.deep.equal([
      { type: 'action', value: 'More', action: 'more', show_echo: false },
    ]);
    expect((await say('More', { attributes: { action: 'more?x=1' } })).map(({ text }) => text)).to.deep.equal([
      'Here is more',
    ]);
  });

  it('sends the text of the reply before it hands over to an agent or closes the conversation', async () => {
    const intents = [
      { intent_display_name: 'agent', question: 'agent please', answer: 'One moment\n\\agent' },
      { intent_display_name: 'bye', question: 'bye', answer: 'Goodbye\n\\close' },
    ];
    const handed = await talkTo(intents);
    const replies = await handed.say('Agent please');
    expect(replies.map(({ text }) => text)).to.deep.equal(['One moment', '\\agent']);
    expect(replies[1].attributes.subtype).to.equal('info');
    const { body } = await api(fixture.admin).get(handed.path);
    expect(body.participantsBots).to.deep.equal([]);
    const closed = await talkTo(intents);
    await closed.say('bye');
    expect((await api(fixture.admin).get(closed.path)).body.status).to.equal(1000);
  });

  it('lets its webhook replace an answer, and keeps the answer if the webhook fails', async () => {
    const webhook = await aWebhook();
    const intents = [{ intent_display_name: 'price', question: 'price', answer: 'About ten', webhook_enabled: true }];
    const { say, bot } = await talkTo(intents, { webhook_enabled: true, webhook_url: webhook.url });
    webhook.answers.push(
      { status: 503, body: '' },
      { status: 200, body: JSON.stringify({ text: 'Exactly 9.99\n* Buy' }) },
    );
    const [fulfilled] = await say('price');
    expect(fulfilled).to.include({ text: 'Exactly 9.99' });
    expect(fulfilled.attributes.attachment.buttons[0]).to.include({ value: 'Buy' });
    const { headers, body } = webhook.calls[1];
    expect(body.payload).to.include({ text: 'About ten' });
    expect(body.payload.intent).to.include({ intent_display_name: 'price' });
    expect(body.payload.bot).to.include({ _id: bot._id }).and.not.have.any.keys('secret', 'intents_version');
    expect(body.payload.message.request).to.have.property('request_id');
    expect(body.token).to.be.a('string');
    expect(headers['webhook-id']).to.equal(webhook.calls[0].headers['webhook-id']);
    expect(headers).to.have.property('webhook-signature');
    for (const broken of [
      { status: 404, body: '' },
      { status: 200, body: 'no JSON' },
      { status: 200, body: '{"text": 5}' },
    ]) {
      webhook.answers.push(broken);
      expect((await say('price'))[0], JSON.stringify(broken)).to.include({ text: 'About ten' });
    }
  });

  it('searches its knowledge base before it falls back to the default intent, and cites the sources', async () => {
    const { project, admin } = fixture;
    const content = {
      ...aTextBody(project.id),
      name: 'Returns',
      content: 'You can return a parcel within 30 days after it arrives.',
    };
    await api(admin).post(`/v3/${project.id}/kb`, content);
    await runJobs();
    const { say } = await talkTo([
      {
        ...{ intent_display_name: 'defaultFallback', question: 'defaultFallback', answer: 'No idea' },
        actions: [{ _tdActionType: 'askgptv2', namespace: project.id }],
      },
    ]);
    const [answer] = await say('How long do I have to return a parcel?');
    expect(answer.text).to.include('30 days');
    expect(answer.attributes.citations[0]).to.include({ source_name: 'Returns' });
    expect((await say('Who painted the Mona Lisa?'))[0]).to.include({ text: 'No idea' });
  });

  it('answers with its published intents until it is published again', async () => {
    const { say, bot, root } = await talkTo([{ intent_display_name: 'q', question: 'version', answer: 'one' }]);
    const { admin } = fixture;
    const publish = () => api(admin).put(`${root}/bots/${bot._id}/publish`, {});
    await publish();
    const [intent] = (await api(admin).get(`${root}/faq?id_faq_kb=${bot._id}`)).body;
    await api(admin).put(`${root}/faq/${intent._id}`, { id_faq_kb: bot._id, answer: 'two' });
    expect((await say('version'))[0]).to.include({ text: 'one' });
    await publish();
    expect((await say('version'))[0]).to.include({ text: 'two' });
  });

  it('posts no reply twice when a call is repeated after its replies have been posted', async () => {
    const { say, bot, allTexts } = await talkTo([
      {
        intent_display_name: 'q',
        question: 'twice',
        actions: [
          { _tdActionType: 'reply', text: 'a' },
          { _tdActionType: 'reply', text: 'b' },
        ],
      },
    ]);
    expect((await say('twice')).map(({ text }) => text)).to.deep.equal(['a', 'b']);
    await BotCall.updateMany({ id_project: fixture.project.id, bot: bot._id }, { $set: { dueAt: new Date() } });
    await say('nothing that it knows');
    const texts = await allTexts();
    expect(texts.filter((text) => ['a', 'b'].includes(text))).to.deep.equal(['a', 'b']);
    expect(texts).to.have.length(5);
  });
});
