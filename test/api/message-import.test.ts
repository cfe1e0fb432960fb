/**
 * Import of messages: they are ordered by their timestamps, and refused as a whole if one is invalid. Repeating the
 * call completes an interrupted import.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { withIdempotentIds } from '#shared/context.ts';
import { importMessages } from '#shared/domain/conversations/posting/import-messages.ts';
import { Message } from '#shared/models/message.ts';
import { api, type Caller } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { times } from '../support/fleet-fixture.ts';
import { aVisitor } from '../support/people.ts';

const JANUARY = Date.parse('2026-01-01T00:00:00Z');
const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text);
const messageAt = (text: string, clienttimestamp?: number) => ({
  text,
  ...(clienttimestamp !== undefined && { attributes: { clienttimestamp } }),
});

/** A conversation; `send` imports messages into it. */
const anImport = async () => {
  const fixture = await aConversation();
  const path = `${fixture.one}/messages/multi`;
  const send = (
    messages: unknown,
    { by = fixture.agent, headers = {} }: { by?: Caller; headers?: Record<string, string> } = {},
  ) => api(by).post(path, messages, headers);
  const countStored = () => Message.countDocuments({ id_project: fixture.project.id, recipient: fixture.request_id });
  return { ...fixture, path, send, countStored };
};

describe('Message import', () => {
  it('imported messages are ordered by clienttimestamp, messages with equal timestamps keep the order of the call, and a message without a timestamp follows its predecessor in the call', async () => {
    const { send, messages } = await anImport();
    const { status, body } = await send([
      messageAt('third', JANUARY + 20),
      messageAt('fourth', JANUARY + 20),
      messageAt('fifth'),
      messageAt('first', JANUARY),
      messageAt('second'),
    ]);
    expect(status).to.equal(200);
    expect(body).to.include({ text: 'fifth', createdAt: '2026-01-01T00:00:00.020Z' });
    const all = await messages();
    expect(textsOf(all)).to.deep.equal(['first', 'second', 'third', 'fourth', 'fifth', 'Where is my order?']);
    expect(all[0]).to.include({ createdAt: '2026-01-01T00:00:00.000Z', status: 0, channel_type: 'group' });
  });

  it('a message import replaces `last_message` of a conversation only with a later message', async () => {
    const { send, read, posted } = await anImport();
    const last = async () => (await read()).attributes.last_message.text;
    await send([messageAt('old', JANUARY)]);
    expect(await last()).to.equal(posted.body.text);
    await send([messageAt('new'), messageAt('old', JANUARY)]);
    expect(await last()).to.equal('new');
  });

  it('a message import emits message.create for each message, or one message.import if there are many or one is old', async () => {
    const { send, newEvents, guest } = await anImport();
    await newEvents();
    await send([messageAt('one'), messageAt('two')], { by: guest });
    expect(await newEvents()).to.deep.equal(['message.create', 'message.create']);
    await send([messageAt('one', JANUARY), messageAt('two')]);
    expect(await newEvents()).to.deep.equal(['message.import']);
    await send(times(501, (index) => ({ ...messageAt(`${index}`), sender: guest.id })));
    expect(await newEvents()).to.deep.equal(['message.import']);
  });

  it('the first imported answer from a teammate sets the waiting time of the conversation, unless the answer is older than the conversation', async () => {
    const { send, read, agent, guest } = await anImport();
    await send([{ text: 'Hello?', sender: guest.id }, messageAt('We met in June', JANUARY)]);
    expect(await read()).to.not.have.property('waiting_time');
    await send([{ text: 'Yes?' }, { text: 'Later' }], { by: agent });
    const { waiting_time, first_response_at, createdAt } = await read();
    expect(waiting_time).to.equal(Date.parse(first_response_at) - Date.parse(createdAt));
  });

  it('an imported text with which the visitor continues a preflight conversation ends the preflight', async () => {
    const { guest, root } = await aConversation();
    const hidden = `${root}/hidden`;
    await api(guest).post(`${hidden}/messages`, { text: 'welcome', preflight: true, request_status: 50 });
    await api(guest).post(`${hidden}/messages/multi`, [{ text: 'welcome' }, { text: 'Where is my order?' }]);
    const { body } = await api(guest).get(`${root}/me`);
    const [listed] = body.requests.filter(({ request_id }: { request_id: string }) => request_id === 'hidden');
    expect(listed).to.include({ preflight: false, first_text: 'Where is my order?', status: 200 });
  });

  it('a message import with an invalid message stores nothing and names each error by index and field', async () => {
    const { send, countStored } = await anImport();
    const { status, body } = await send([
      messageAt('good'),
      { text: 7 },
      { type: 'image', metadata: { src: '/a.png' } },
      { text: 'when?', attributes: { clienttimestamp: 'today' } },
    ]);
    expect(status).to.equal(422);
    expect(body.errors.map(({ path }: { path: string }) => path)).to.have.members([
      '1.text',
      '2.metadata.src',
      '3.attributes.clienttimestamp',
    ]);
    const repeatedId = await send([
      messageAt('good'),
      ...['a', 'b'].map((text) => ({ text, client_message_id: 'same' })),
    ]);
    expect(repeatedId.status).to.equal(422);
    expect(repeatedId.body.errors[0]).to.include({ path: '2.client_message_id' });
    expect((await send([])).status).to.equal(422);
    expect(await countStored()).to.equal(1);
  });

  it("a message import returns 404 for an unknown conversation or one of another visitor, and 403 for a visitor's message with another sender", async () => {
    const { send, root, agent, guest, project, countStored } = await anImport();
    const unknown = await api(agent).post(`${root}/${randomUUID()}/messages/multi`, [messageAt('x')]);
    expect(unknown.status).to.equal(404);
    const other = await aVisitor(project.id);
    expect((await send([messageAt('x')], { by: other })).status).to.equal(404);
    expect((await send([{ text: 'x', sender: other.id }], { by: guest })).status).to.equal(403);
    expect(await countStored()).to.equal(1);
    expect((await send([messageAt('x')], { by: guest })).body).to.include({ sender: guest.id, text: 'x' });
  });

  it('a message import replaces label placeholders and renders templates as for a posted message, and executes no commands', async () => {
    const { send, read } = await anImport();
    const attributes = { templateProcessor: true };
    const { body } = await send([{ text: '\\close' }, { text: '${CLOSE}: {{request.first_text}}', attributes }]);
    expect(body).to.include({ text: 'Close: Where is my order?' });
    expect(await read()).to.include({ status: 200 });
    const templates = times(101, () => ({ text: '{{request.subject}}', attributes }));
    expect((await send(templates)).body.error).to.include('attributes.templateProcessor');
  });

  it('a message import of more than 10,000 messages returns 422 for their number, and one of exactly 10,000 does not', async () => {
    const { send, countStored } = await anImport();
    const almost = times(9_999, (index) => messageAt(`${index}`, JANUARY + index));
    const tooMany = await send([...almost, messageAt('9999'), messageAt('one more')]);
    expect(tooMany.status).to.equal(422);
    expect(tooMany.body.error).to.match(/10,?000/);
    // The last of the 10,000 messages is invalid, so that none of them is stored: storing them takes seconds.
    const maximum = await send([...almost, { text: 5 }]);
    expect(maximum.status).to.equal(422);
    expect(maximum.body.error)
      .to.include('9999.text')
      .and.not.match(/10,?000/);
    expect(await countStored()).to.equal(1);
  });
});

describe('Interrupted message import', () => {
  const messagesWithIds = (count: number) =>
    times(count, (index) => ({ ...messageAt(`${index}`, JANUARY + index), client_message_id: `m-${index}` }));

  it('repeating an interrupted message import with its client_message_ids completes it without duplicates', async () => {
    const { send, messages, countStored } = await anImport();
    const all = messagesWithIds(1200);
    await send([...all.slice(0, 500), ...all.slice(700, 800)]);
    const answers = await Promise.all(times(3, () => send(all)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text))).to.have.length(1);
    expect(await countStored()).to.equal(1201);
    expect(textsOf(await messages()).slice(0, -1)).to.deep.equal(textsOf(all).slice(201));
  });

  it('repeating an interrupted message import with its Idempotency-Key completes it and identifies each message by its index', async () => {
    const { project, request_id, agent, messages } = await anImport();
    const conversation = { id_project: project.id, request_id };
    const actor = { ...agent, kind: 'user', role: 'agent' };
    const all = times(600, (index) => messageAt(`${index}`, JANUARY));
    const send = (part: typeof all) => withIdempotentIds('a key', () => importMessages(conversation, part, actor));
    await send(all.slice(0, 550));
    await send(all);
    expect(textsOf(await messages()).slice(0, -1)).to.deep.equal(textsOf(all));
  });

  it('the same messages under different Idempotency-Keys, or without a key, are imported each time', async () => {
    const { send, countStored } = await anImport();
    await send([messageAt('x')], { headers: { 'idempotency-key': 'one' } });
    await send([messageAt('x')], { headers: { 'idempotency-key': 'two' } });
    await send([messageAt('x')]);
    expect(await countStored()).to.equal(4);
  });

  it('a message import that fails halfway in the database returns exactly the stored messages, and repeating the import completes it', async () => {
    const { send, countStored, request_id } = await anImport();
    const all = messagesWithIds(1100);
    const rejectedMessage = { recipient: request_id, text: '700' };
    const validate = (validator: object) =>
      mongoose.connection.db?.command({ collMod: Message.collection.name, validator });
    await validate({ $nor: [rejectedMessage] });
    const failed = await send(all);
    await validate({});
    expect(failed.status).to.equal(503);
    expect(failed.body).to.include({ success: false, code: 'PARTIALLY_STORED' });
    expect(failed.body.stored.map(({ index }: { index: number }) => index)).to.deep.equal(
      times(1000, (index) => index).filter((index) => index !== 700),
    );
    expect(await countStored()).to.equal(1000);
    expect((await send(all)).status).to.equal(200);
    expect(await countStored()).to.equal(1101);
  });
});
