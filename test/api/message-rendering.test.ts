/**
 * Processing of a message text before it is stored: templates, markup and placeholders for labels (a project's texts by
 * language) in messages from teammates and bots, and commands in messages from any sender.
 */
import { expect } from 'chai';
import { api, type Caller } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { aConversation } from '../support/conversations.ts';

type ConversationFixture = Awaited<ReturnType<typeof aConversation>>;

/** Posts a message and returns its stored text. */
const postText = async (
  { post }: ConversationFixture,
  caller: Caller,
  message: { text: string; attributes?: object },
) => (await post(caller, message)).body.text;

describe('Label placeholders in messages', () => {
  it("a label placeholder is replaced by the project's label in the conversation's language or a fallback language, and an unknown key is not replaced", async () => {
    const conversation = await aConversation({ text: 'Ciao', language: 'it' });
    const setLabels = (lang: string, data: object) =>
      api(conversation.admin).post(`/v3/${conversation.project.id}/labels`, { lang, data });
    await setLabels('EN', { HELLO: 'Hello', BYE: 'Bye' });
    await setLabels('IT', { HELLO: 'Salve' });
    expect(await postText(conversation, conversation.agent, { text: '${HELLO}, ${BYE} ${NOBODY} ${CLOSE}' })).to.equal(
      'Salve, Bye ${NOBODY} Close',
    );
  });

  it("a label placeholder in a visitor's message is not replaced", async () => {
    const conversation = await aConversation();
    expect(await postText(conversation, conversation.guest, { text: '${CLOSE}' })).to.equal('${CLOSE}');
  });
});

describe('Message templates', () => {
  const attributes = { templateProcessor: true };

  it('a message template from a teammate or a bot can read the conversation as its visitor sees it', async () => {
    const conversation = await aConversation();
    const bot = await aBot(conversation.project.id);
    const text =
      '{{request.first_text}} {{request.lead.lead_id}} [{{request.notes}}{{request.tags}}{{request.snapshot}}]';
    for (const caller of [conversation.agent, bot])
      expect(await postText(conversation, caller, { text, attributes })).to.equal(
        `Where is my order? ${conversation.guest.id} []`,
      );
  });

  it("a message template is not rendered in a visitor's message or without the attribute templateProcessor", async () => {
    const conversation = await aConversation();
    const text = '{{request.first_text}}';
    expect(await postText(conversation, conversation.guest, { text, attributes })).to.equal(text);
    expect(await postText(conversation, conversation.agent, { text })).to.equal(text);
  });

  it("template code in a visitor's text is inserted by a message template without being rendered", async () => {
    const conversation = await aConversation({ text: '{{request.request_id}} ${CLOSE}' });
    expect(await postText(conversation, conversation.agent, { text: '{{request.first_text}}', attributes })).to.equal(
      '{{request.request_id}} ${CLOSE}',
    );
  });

  it('a message template in the first message can read the conversation that the message opens', async () => {
    const { project, agent, guest } = await aConversation();
    const { body } = await api(agent).post(`/v3/${project.id}/requests/new/messages`, {
      ...{ text: '{{request.request_id}}: {{request.subject}}', attributes },
      ...{ subject: 'Order', sender: guest.id },
    });
    expect(body).to.include({ text: 'new: Order' });
    expect(body.request).to.include({ first_text: 'new: Order' });
  });

  for (const [defect, text] of Object.entries({
    'has a syntax error': '{% if %}',
    'reads a file': '{% include "/etc/hostname" %}',
    'renders a file': '{% render "package.json" %}',
    'nests two long loops': '{% for i in (1..1000) %}{% for j in (1..1000) %}x{% endfor %}{% endfor %}',
    'counts to a billion': '{% for i in (1..1000000000) %}x{% endfor %}',
    'doubles a text 99 times': '{% assign a = "aa" %}{% for i in (1..99) %}{% assign a = a | append: a %}{% endfor %}',
    'makes a long text': '{% for i in (1..4000) %}123456789{% endfor %}',
    'calls an unknown filter': '{{ "x" | exec }}',
  }))
    it(`a message template that ${defect} is refused with a 422 error that names the field \`text\`, and nothing is stored`, async () => {
      const { post, agent, messages } = await aConversation();
      const { status, body } = await post(agent, { text, attributes });
      expect(status).to.equal(422);
      expect(body.errors[0]).to.include({ path: 'text' });
      expect(await messages()).to.have.length(1);
    });

  it('a message template cannot read prototypes', async () => {
    const conversation = await aConversation();
    const text = '[{{request.constructor}}{{request["__proto__"]}}{{"".constructor.name}}{{request.toString}}]';
    expect(await postText(conversation, conversation.agent, { text, attributes })).to.equal('[]');
  });
});

describe('Bot markup', () => {
  const postMarkup = async (text: string) => {
    const { post, agent } = await aConversation();
    return (await post(agent, { text, attributes: { microlanguage: true } })).body;
  };

  it('bot markup is turned into text and buttons, and the raw text is stored', async () => {
    const raw = 'Choose\n* Yes\n* No tdAction:stop\n* Maybe tdIntentNoEcho:maybe\n> Shop https://shop.example/a';
    const { text, type, attributes } = await postMarkup(raw);
    expect({ text, type }).to.deep.equal({ text: 'Choose', type: 'text' });
    expect(attributes).to.include({ _raw_message: raw });
    expect(attributes.attachment).to.deep.equal({
      type: 'template',
      buttons: [
        { type: 'text', value: 'Yes' },
        { type: 'action', value: 'No', action: 'stop', show_echo: false },
        { type: 'action', value: 'Maybe', action: 'maybe', show_echo: false },
        { type: 'url', value: 'Shop', link: 'https://shop.example/a', target: 'self' },
      ],
    });
  });

  for (const [markup, expected] of Object.entries({
    'tdImage:https://x.example/a.png': { type: 'image', metadata: { src: 'https://x.example/a.png' } },
    'tdImage,w100 h50:https://x.example/a.png': {
      type: 'image',
      metadata: { src: 'https://x.example/a.png', width: 100, height: 50 },
    },
    '\\image:10-20:https://x.example/a.png': {
      type: 'image',
      metadata: { src: 'https://x.example/a.png', width: 10, height: 20 },
    },
    '\\image:https://x.example/a.png': {
      type: 'image',
      metadata: { src: 'https://x.example/a.png', width: 200, height: 200 },
    },
    'tdFrame,300 200:https://x.example/': {
      type: 'frame',
      metadata: { src: 'https://x.example/', width: 300, height: 200 },
    },
    'tdVideo:https://x.example/v': { type: 'frame', metadata: { src: 'https://x.example/v', type: 'video' } },
  }))
    it(`bot markup turns the line ${markup} into its message type and metadata`, async () => {
      const { text, type, metadata } = await postMarkup(`Look\n${markup}`);
      expect({ text, type, metadata }).to.deep.equal({ text: 'Look', ...expected });
    });

  it('bot markup leaves a line with a javascript: address unchanged', async () => {
    const { text, type, metadata } = await postMarkup('tdFrame:javascript:alert(1)');
    expect({ text, type, metadata }).to.deep.equal({
      text: 'tdFrame:javascript:alert(1)',
      type: 'text',
      metadata: undefined,
    });
  });
});

describe('Commands in messages', () => {
  it('\\close in a message closes the conversation on behalf of the sender, even if the sender is a visitor, and the message is stored', async () => {
    const { post, guest, read, messages } = await aConversation();
    const { body } = await post(guest, { text: 'Thanks \\close' });
    expect(body.request).to.include({ status: 1000, closed_by: guest.id });
    expect(await read()).to.include({ status: 1000, closed_by: guest.id });
    expect((await messages()).map(({ sender }: { sender: string }) => sender)).to.deep.equal([
      guest.id,
      guest.id,
      'system',
    ]);
  });

  it('\\close repeated with the same client_message_id does not close a reopened conversation', async () => {
    const { post, guest, agent, one, read } = await aConversation();
    const close = () => post(guest, { text: '\\close', client_message_id: 'bye' });
    await close();
    await api(agent).put(`${one}/reopen`, {});
    await close();
    expect(await read()).to.include({ status: 100 });
  });

  it('\\close by an agent who does not participate is refused with 403, as is PUT …/close, and nothing is stored', async () => {
    const { agent, owner, one, post, read, messages } = await aConversation();
    await api(owner).put(`${one}/participants`, [owner.id]);
    expect((await api(agent).put(`${one}/close`, {})).status).to.equal(403);
    const before = await messages();
    const refused = await post(agent, { text: 'Bye \\close' });
    expect(refused.status).to.equal(403);
    expect(refused.body.code).to.equal('NOT_PARTICIPATING');
    expect(await read()).to.include({ status: 200 });
    expect(await messages()).to.deep.equal(before);
    expect((await post(agent, { text: 'Bye' })).status).to.equal(200);
    expect((await post(owner, { text: 'Bye \\close' })).body.request).to.include({ status: 1000, closed_by: owner.id });
  });

  it('\\close in a first message that an agent sends for a visitor is refused with 403 and opens no conversation', async () => {
    const { agent, guest, root } = await aConversation();
    const { status } = await api(agent).post(`${root}/another/messages`, { text: '\\close', sender: guest.id });
    expect(status).to.equal(403);
    expect((await api(agent).get(`${root}/another`)).status).to.equal(404);
  });

  it('\\agent transfers a conversation from its bot to a human agent, and changes nothing in a conversation without a bot', async () => {
    const conversation = await aConversation({ text: 'Hi', participants: ['bot_7'] });
    const askForAgent = () => conversation.post(conversation.guest, { text: 'An \\agent please' });
    const { body } = await askForAgent();
    expect(body.request).to.include({ hasBot: false, status: 200 });
    expect([conversation.owner.id, conversation.admin.id, conversation.agent.id]).to.include(
      body.request.participants[0],
    );
    const before = await conversation.read();
    await askForAgent();
    expect((await conversation.read()).participants).to.deep.equal(before.participants);
  });
});
