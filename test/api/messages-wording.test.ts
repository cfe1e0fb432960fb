/** What becomes of a text before it is stored: labels, templates and mark-up of those who work for the project; and commands of anybody. */
import { expect } from 'chai';
import { api, type Caller } from '../support/api.ts';
import { aBot } from '../support/bots.ts';
import { aConversation } from '../support/conversations.ts';

type World = Awaited<ReturnType<typeof aConversation>>;

/** What becomes of a text that somebody posts. */
const textOf = async ({ post }: World, by: Caller, message: { text: string; attributes?: object }) =>
  (await post(by, message)).body.text;

describe('A text with ${KEY}', () => {
  it('gets the words of the project in the language of the conversation, else the nearest; unknown keys stay', async () => {
    const world = await aConversation({ text: 'Ciao', language: 'it' });
    const write = (lang: string, data: object) =>
      api(world.admin).post(`/v3/${world.project.id}/labels`, { lang, data });
    await write('EN', { HELLO: 'Hello', BYE: 'Bye' });
    await write('IT', { HELLO: 'Salve' });
    expect(await textOf(world, world.agent, { text: '${HELLO}, ${BYE} ${NOBODY} ${CLOSE}' })).to.equal(
      'Salve, Bye ${NOBODY} Close',
    );
  });

  it('stays as sent in the message of a visitor (decision 57)', async () => {
    const world = await aConversation();
    expect(await textOf(world, world.guest, { text: '${CLOSE}' })).to.equal('${CLOSE}');
  });
});

describe('A template', () => {
  const attributes = { templateProcessor: true };

  it('knows the conversation as its visitor sees it, from teammates and bots', async () => {
    const world = await aConversation();
    const bot = await aBot(world.project.id);
    const text =
      '{{request.first_text}} {{request.lead.lead_id}} [{{request.notes}}{{request.tags}}{{request.snapshot}}]';
    for (const by of [world.agent, bot])
      expect(await textOf(world, by, { text, attributes })).to.equal(`Where is my order? ${world.guest.id} []`);
  });

  it('stays as sent in the message of a visitor, and without the attribute (decision 57)', async () => {
    const world = await aConversation();
    const text = '{{request.first_text}}';
    expect(await textOf(world, world.guest, { text, attributes })).to.equal(text);
    expect(await textOf(world, world.agent, { text })).to.equal(text);
  });

  it('puts nothing of a visitor into a template: what it wrote is only shown', async () => {
    const world = await aConversation({ text: '{{request.request_id}} ${CLOSE}' });
    expect(await textOf(world, world.agent, { text: '{{request.first_text}}', attributes })).to.equal(
      '{{request.request_id}} ${CLOSE}',
    );
  });

  it('of a conversation that it opens knows what that opens with', async () => {
    const { project, agent, guest } = await aConversation();
    const { body } = await api(agent).post(`/v3/${project.id}/requests/new/messages`, {
      ...{ text: '{{request.request_id}}: {{request.subject}}', attributes },
      ...{ subject: 'Order', sender: guest.id },
    });
    expect(body).to.include({ text: 'new: Order' });
    expect(body.request).to.include({ first_text: 'new: Order' });
  });

  for (const [what, text] of Object.entries({
    'is broken': '{% if %}',
    'reads a file': '{% include "/etc/hostname" %}',
    'renders a file': '{% render "package.json" %}',
    'goes on and on': '{% for i in (1..1000) %}{% for j in (1..1000) %}x{% endfor %}{% endfor %}',
    'counts to a billion': '{% for i in (1..1000000000) %}x{% endfor %}',
    'doubles a text': '{% assign a = "aa" %}{% for i in (1..99) %}{% assign a = a | append: a %}{% endfor %}',
    'makes a long text': '{% for i in (1..4000) %}123456789{% endfor %}',
    'calls what is not there': '{{ "x" | exec }}',
  }))
    it(`that ${what} is refused by the name of its field, and nothing is stored`, async () => {
      const { post, agent, messages } = await aConversation();
      const { status, body } = await post(agent, { text, attributes });
      expect(status).to.equal(422);
      expect(body.errors[0]).to.include({ path: 'text' });
      expect(await messages()).to.have.length(1);
    });

  it('sees no prototype', async () => {
    const world = await aConversation();
    const text = '[{{request.constructor}}{{request["__proto__"]}}{{"".constructor.name}}{{request.toString}}]';
    expect(await textOf(world, world.agent, { text, attributes })).to.equal('[]');
  });
});

describe('The mark-up of bots', () => {
  const marked = async (text: string) => {
    const { post, agent } = await aConversation();
    return (await post(agent, { text, attributes: { microlanguage: true } })).body;
  };

  it('becomes text and buttons, and the raw text is kept', async () => {
    const raw = 'Choose\n* Yes\n* No tdAction:stop\n* Maybe tdIntentNoEcho:maybe\n> Shop https://shop.example/a';
    const { text, type, attributes } = await marked(raw);
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

  for (const [line, expected] of Object.entries({
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
    it(`reads ${line}`, async () => {
      const { text, type, metadata } = await marked(`Look\n${line}`);
      expect({ text, type, metadata }).to.deep.equal({ text: 'Look', ...expected });
    });

  it('leaves a line with another kind of address as it is', async () => {
    const { text, type, metadata } = await marked('tdFrame:javascript:alert(1)');
    expect({ text, type, metadata }).to.deep.equal({
      text: 'tdFrame:javascript:alert(1)',
      type: 'text',
      metadata: undefined,
    });
  });
});

describe('A command in a text', () => {
  it('\\close ends the conversation in the name of its sender, a visitor too, and is a message of it', async () => {
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

  it('\\close sent again under its name closes nothing that was opened again', async () => {
    const { post, guest, agent, one, read } = await aConversation();
    const close = () => post(guest, { text: '\\close', client_message_id: 'bye' });
    await close();
    await api(agent).put(`${one}/reopen`, {});
    await close();
    expect(await read()).to.include({ status: 100 });
  });

  it('\\close by an agent who takes no part is refused with 403 as `close` is, and nothing is stored', async () => {
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

  it('\\close by an agent who takes no part opens no conversation either', async () => {
    const { agent, guest, root } = await aConversation();
    const { status } = await api(agent).post(`${root}/another/messages`, { text: '\\close', sender: guest.id });
    expect(status).to.equal(403);
    expect((await api(agent).get(`${root}/another`)).status).to.equal(404);
  });

  it('\\agent hands it over from its bot to a human; without a bot nothing changes', async () => {
    const world = await aConversation({ text: 'Hi', participants: ['bot_7'] });
    const call = () => world.post(world.guest, { text: 'An \\agent please' });
    const { body } = await call();
    expect(body.request).to.include({ hasBot: false, status: 200 });
    expect([world.owner.id, world.admin.id, world.agent.id]).to.include(body.request.participants[0]);
    const before = await world.read();
    await call();
    expect((await world.read()).participants).to.deep.equal(before.participants);
  });
});
