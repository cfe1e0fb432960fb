/** Importing messages: in the order of their times, all or none of them wrong, completed by sending the same again. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { asOneEffect } from '#shared/context.ts';
import { importAll } from '#shared/domain/conversations/importing.ts';
import { Message } from '#shared/models/message.ts';
import { api, type Caller } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aVisitor } from '../support/people.ts';
import { times } from '../support/stage.ts';

const JANUARY = Date.parse('2026-01-01T00:00:00Z');
const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text);
const said = (text: string, clienttimestamp?: number) => ({
  text,
  ...(clienttimestamp !== undefined && { attributes: { clienttimestamp } }),
});

/** A conversation with a way to import into it. */
const anImport = async () => {
  const world = await aConversation();
  const path = `${world.one}/messages/multi`;
  const send = (
    messages: unknown,
    { by = world.agent, headers = {} }: { by?: Caller; headers?: Record<string, string> } = {},
  ) => api(by).post(path, messages, headers);
  const stored = () => Message.countDocuments({ id_project: world.project.id, recipient: world.request_id });
  return { ...world, path, send, stored };
};

describe('Importing messages', () => {
  it('puts them at their times, equals in the order of the call, those without a time behind the one before', async () => {
    const { send, messages } = await anImport();
    const { status, body } = await send([
      said('third', JANUARY + 20),
      said('fourth', JANUARY + 20),
      said('fifth'),
      said('first', JANUARY),
      said('second'),
    ]);
    expect(status).to.equal(200);
    expect(body).to.include({ text: 'fifth', createdAt: '2026-01-01T00:00:00.020Z' });
    const all = await messages();
    expect(textsOf(all)).to.deep.equal(['first', 'second', 'third', 'fourth', 'fifth', 'Where is my order?']);
    expect(all[0]).to.include({ createdAt: '2026-01-01T00:00:00.000Z', status: 0, channel_type: 'group' });
  });

  it('leaves the last message of the conversation what it is, unless a later one came', async () => {
    const { send, read, posted } = await anImport();
    const last = async () => (await read()).attributes.last_message.text;
    await send([said('old', JANUARY)]);
    expect(await last()).to.equal(posted.body.text);
    await send([said('new'), said('old', JANUARY)]);
    expect(await last()).to.equal('new');
  });

  it('is told message by message where a few are said now, and as one where they are many or history', async () => {
    const { send, told, guest } = await anImport();
    await told();
    await send([said('one'), said('two')], { by: guest });
    expect(await told()).to.deep.equal(['message.create', 'message.create']);
    await send([said('one', JANUARY), said('two')]);
    expect(await told()).to.deep.equal(['message.import']);
    await send(times(501, (at) => ({ ...said(`${at}`), sender: guest.id })));
    expect(await told()).to.deep.equal(['message.import']);
  });

  it('ends the wait of a visitor with the first answer of a human in it', async () => {
    const { send, read, agent, guest } = await anImport();
    await send([{ text: 'Hello?', sender: guest.id }, said('We had met', JANUARY)]);
    expect(await read()).to.not.have.property('waiting_time');
    await send([{ text: 'Yes?' }, { text: 'Later' }], { by: agent });
    const { waiting_time, first_response_at, createdAt } = await read();
    expect(waiting_time).to.equal(Date.parse(first_response_at) - Date.parse(createdAt));
  });

  it('brings a hidden conversation into sight with the first real words of its visitor in it', async () => {
    const { guest, root } = await aConversation();
    const hidden = `${root}/hidden`;
    await api(guest).post(`${hidden}/messages`, { text: 'welcome', preflight: true, request_status: 50 });
    await api(guest).post(`${hidden}/messages/multi`, [{ text: 'welcome' }, { text: 'Where is my order?' }]);
    const { body } = await api(guest).get(`${root}/me`);
    const [found] = body.requests.filter(({ request_id }: { request_id: string }) => request_id === 'hidden');
    expect(found).to.include({ preflight: false, first_text: 'Where is my order?', status: 200 });
  });

  it('stores nothing when one is wrong, and names each by place and field', async () => {
    const { send, stored } = await anImport();
    const { status, body } = await send([
      said('good'),
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
    const twice = await send([said('good'), ...['a', 'b'].map((text) => ({ text, client_message_id: 'same' }))]);
    expect(twice.status).to.equal(422);
    expect(twice.body.errors[0]).to.include({ path: '2.client_message_id' });
    expect((await send([])).status).to.equal(422);
    expect(await stored()).to.equal(1);
  });

  it('is for a conversation that is there, and for a visitor its own, in which it speaks for itself', async () => {
    const { send, root, agent, guest, project, stored } = await anImport();
    const unknown = await api(agent).post(`${root}/${randomUUID()}/messages/multi`, [said('x')]);
    expect(unknown.status).to.equal(404);
    const other = await aVisitor(project.id);
    expect((await send([said('x')], { by: other })).status).to.equal(404);
    expect((await send([{ text: 'x', sender: other.id }], { by: guest })).status).to.equal(403);
    expect(await stored()).to.equal(1);
    expect((await send([said('x')], { by: guest })).body).to.include({ sender: guest.id, text: 'x' });
  });

  it('fills in labels and templates as a post does, and obeys no command', async () => {
    const { send, read } = await anImport();
    const attributes = { templateProcessor: true };
    const { body } = await send([{ text: '\\close' }, { text: '${CLOSE}: {{request.first_text}}', attributes }]);
    expect(body).to.include({ text: 'Close: Where is my order?' });
    expect(await read()).to.include({ status: 200 });
    const templates = times(101, () => ({ text: '{{request.subject}}', attributes }));
    expect((await send(templates)).body.error).to.include('attributes.templateProcessor');
  });

  it('takes ten thousand messages at once, and refuses more', async () => {
    const { send, stored } = await anImport();
    const most = times(10_000, (at) => said(`${at}`, JANUARY + at));
    expect((await send([...most, said('one more')])).status).to.equal(422);
    expect((await send(most)).body).to.include({ text: '9999' });
    expect(await stored()).to.equal(10_001);
  }).timeout(20_000);
});

describe('An import that was cut off', () => {
  const named = (count: number) =>
    times(count, (at) => ({ ...said(`${at}`, JANUARY + at), client_message_id: `m-${at}` }));

  it('goes on when it is sent again under the names of its messages, and doubles none', async () => {
    const { send, messages, stored } = await anImport();
    const all = named(1200);
    await send([...all.slice(0, 500), ...all.slice(700, 800)]);
    const answers = await Promise.all(times(3, () => send(all)));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text))).to.have.length(1);
    expect(await stored()).to.equal(1201);
    expect(textsOf(await messages()).slice(0, -1)).to.deep.equal(textsOf(all).slice(201));
  });

  it('goes on under its Idempotency-Key, where each message is known by its place', async () => {
    const { project, request_id, agent, messages } = await anImport();
    const where = { id_project: project.id, request_id };
    const by = { ...agent, kind: 'user', role: 'agent' };
    const all = times(600, (at) => said(`${at}`, JANUARY));
    const send = (some: typeof all) => asOneEffect('a key', () => importAll(where, some, by));
    await send(all.slice(0, 550));
    await send(all);
    expect(textsOf(await messages()).slice(0, -1)).to.deep.equal(textsOf(all));
  });

  it('is two imports under two keys, and without one', async () => {
    const { send, stored } = await anImport();
    await send([said('x')], { headers: { 'idempotency-key': 'one' } });
    await send([said('x')], { headers: { 'idempotency-key': 'two' } });
    await send([said('x')]);
    expect(await stored()).to.equal(4);
  });

  it('answers exactly what is stored when the store fails half way, and is completed later (F21)', async () => {
    const { send, stored, request_id } = await anImport();
    const all = named(1100);
    const poison = { recipient: request_id, text: '700' };
    const validate = (validator: object) =>
      mongoose.connection.db?.command({ collMod: Message.collection.name, validator });
    await validate({ $nor: [poison] });
    const failed = await send(all);
    await validate({});
    expect(failed.status).to.equal(503);
    expect(failed.body).to.include({ success: false, code: 'PARTLY_STORED' });
    expect(failed.body.stored.map(({ index }: { index: number }) => index)).to.deep.equal(
      times(1000, (at) => at).filter((at) => at !== 700),
    );
    expect(await stored()).to.equal(1000);
    expect((await send(all)).status).to.equal(200);
    expect(await stored()).to.equal(1101);
  });
});
