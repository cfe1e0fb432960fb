/** Intents: single changes, several operations in one call, CSV, search. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { times } from '../support/fleet-fixture.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';

type Fixture = Awaited<ReturnType<typeof aProject>>;

describe('Intents', () => {
  let fixture: Fixture;
  let bot: string;
  const root = () => `/v3/${fixture.project.id}/faq`;
  const add = (fields: object) => api(fixture.admin).post(root(), { id_faq_kb: bot, ...fields });
  const list = async (query = '', caller = fixture.admin) =>
    (await api(caller).get(`${root()}?id_faq_kb=${bot}&${query}`)).body;

  before(async () => {
    fixture = await aProject();
    const body = { name: 'Bot', template: 'empty', language: 'it' };
    bot = (await api(fixture.admin).post(`/v3/${fixture.project.id}/bots`, body)).body._id;
  });

  it('an intent is added in the language of its bot, with a generated name and id, and each change emits an event', async () => {
    const { body } = await add({ question: 'A che ora aprite?', answer: 'Alle nove', language: 'en' });
    expect(body).to.include({
      language: 'it',
      enabled: true,
      topic: 'default',
      status: 'live',
      webhook_enabled: false,
    });
    expect(body.intent_display_name).to.match(/^[a-z0-9]{6}$/);
    expect(body.intent_id).to.match(/^[0-9a-f-]{36}$/);
    const path = `${root()}/${body._id}`;
    expect((await api(fixture.admin).get(path)).body).to.deep.equal(body);
    const named = await api(fixture.admin).put(`${root()}/intentId${body.intent_id}`, {
      id_faq_kb: bot,
      answer: 'Alle dieci',
    });
    expect(named.body).to.include({ _id: body._id, answer: 'Alle dieci', question: 'A che ora aprite?' });
    expect((await api(fixture.admin).patch(`${path}/attributes`, { x: 1 })).body.attributes).to.deep.equal({ x: 1 });
    expect((await api(fixture.admin).delete(path)).body).to.include({ _id: body._id });
    expect((await api(fixture.admin).get(path)).body).to.include({ msg: 'Object not found.' });
    const events = (await relayedChanges(fixture.project.id)).filter(({ record }) => record === body._id);
    expect(events.map(({ event }) => event)).to.deep.equal(['faq.create', 'faq.update', 'faq.update', 'faq.delete']);
  });

  it('concurrent changes to intents do not conflict: they take less than twice as many MongoDB commands as the same changes one after another', async () => {
    const intents = await Promise.all(times(8, async () => (await add({})).body._id));
    const change = (id: string) => api(fixture.admin).patch(`${root()}/${id}/attributes`, { x: 1 });
    const single = await commandsDuring(() => change(intents[0]));
    const together = await commandsDuring(() => Promise.all(intents.map(change)));
    // Conflicting changes would take four times as many commands. The factor of 2 allows for cache entries that expire.
    expect(together.length).to.be.lessThan(2 * single.length * intents.length);
  });

  it('the name of an intent is unique in its bot (409)', async () => {
    expect((await add({ intent_display_name: 'unique' })).status).to.equal(200);
    const second = await add({ intent_display_name: 'unique' });
    expect(second.status).to.equal(409);
    // Deployed clients read this message, which has two spaces.
    expect(second.body.msg).to.equal('Duplicate  intent_display_name.');
    const other = (await add({ intent_display_name: 'other' })).body;
    const renamed = await api(fixture.admin).put(`${root()}/${other._id}`, {
      id_faq_kb: bot,
      intent_display_name: 'unique',
    });
    expect(renamed.status).to.equal(409);
    expect((await api(fixture.admin).put(`${root()}/${other._id}`, { answer: 'x' })).status).to.equal(422);
    expect((await api(fixture.admin).delete(`${root()}/intentId${other.intent_id}`)).status).to.equal(422);
    expect((await api(fixture.admin).delete(`${root()}/intentId${other.intent_id}?id_faq_kb=${bot}`)).status).to.equal(
      200,
    );
  });

  it('the list of intents can be searched by words and names, has pages, and shows agents only the intents with `agents_available`', async () => {
    const [one] = await Promise.all([
      add({ question: 'Quanto costa la spedizione?' }),
      add({ question: 'Dove siete?' }),
    ]);
    expect(await list('text=spedizione')).to.have.length(1);
    expect(await list(`intent_display_name=${one?.body.intent_display_name}`)).to.have.length(1);
    const all = await list();
    expect([...(await list('limit=1')), ...(await list('limit=1&page=1'))]).to.deep.equal(all.slice(0, 2));
    expect(await list('', fixture.agent)).to.deep.equal([]);
    await api(fixture.admin).put(`${root()}/${one?.body._id}`, { id_faq_kb: bot, agents_available: true });
    const [seen] = await list('', fixture.agent);
    expect(seen).to.include({ _id: one?.body._id }).and.not.have.any.keys('faq_kb', 'actions', 'createdBy', '__v');
  });

  it('ops_update applies all operations in order, or none', async () => {
    const first = (await add({ intent_display_name: 'first', answer: 'a' })).body;
    const apply = (operations: object[]) =>
      api(fixture.admin).post(`${root()}/ops_update`, { id_faq_kb: bot, operations });
    const done = await apply([
      { type: 'post', intent: { intent_display_name: 'second', intent_id: 'second-id', answer: 'b' } },
      { type: 'put', intent: { intent_id: 'second-id', answer: 'c' } },
      { type: 'patch', intent: { _id: first._id, attributes: { x: 1 } } },
    ]);
    expect(done.body).to.deep.equal({ success: true });
    expect((await list('intent_display_name=second'))[0]).to.include({ answer: 'c' });
    const failed = await apply([
      { type: 'delete', intent: { _id: first._id } },
      { type: 'put', intent: { intent_id: 'no-such-id', answer: 'x' } },
    ]);
    expect(failed.status).to.equal(404);
    expect((await list('intent_display_name=first'))[0].attributes).to.deep.equal({ x: 1 });
  });

  it('a CSV file without a header is imported with one intent per name, and the export has a header', async () => {
    const rows = 'Chi siete?;Siamo noi;id-1;who;true\n;no question;;;\n"Due\nrighe";Due;;two;\nAncora;x;;who;\n';
    const upload = async (text: string) =>
      (await api(fixture.admin).post(`${root()}/uploadcsv?id_faq_kb=${bot}`, text, { 'content-type': 'text/csv' }))
        .body;
    expect(await upload(rows)).to.deep.equal({ success: true, msg: 'CSV Parsed' });
    expect(await upload('a;"b')).to.deep.equal({ success: false, msg: 'Parsing error' });
    const [who] = await list('intent_display_name=who');
    expect(who)
      .to.include({ question: 'Chi siete?', intent_id: 'id-1', webhook_enabled: true })
      .and.not.have.property('answer');
    expect(who.actions[0]).to.include({ _tdActionType: 'reply', text: 'Siamo noi' });
    const { text } = await api(fixture.admin).get(`${root()}/csv?id_faq_kb=${bot}`);
    expect(text.split('\n')[0]).to.equal('question;answer;intent_id;intent_display_name;webhook_enabled');
    expect(text).to.include('id-1;who;true').and.to.include('"Due\nrighe"');
  });

  it('askbot returns the intent with exactly the given phrase or, if there is none, intents with similar phrases', async () => {
    await add({ intent_display_name: 'hours', question: 'Quali sono gli orari di apertura?\nA che ora aprite?' });
    const ask = (question: string, id = bot) =>
      api(fixture.admin).post(`/v3/${fixture.project.id}/bots/askbot`, { id_faq_kb: id, question });
    const [exact] = (await ask('a che ora aprite')).body.hits;
    expect(exact).to.include({ intent_display_name: 'hours', score: 100 });
    const [similar] = (await ask('Vorrei sapere gli orari di apertura')).body.hits;
    expect(similar).to.include({ intent_display_name: 'hours' });
    expect(similar.score).to.be.within(1, 99);
    expect((await ask('Xyzzy plugh')).body.hits).to.deep.equal([]);
    const external = await api(fixture.admin).post(`/v3/${fixture.project.id}/bots`, { name: 'E', type: 'external' });
    expect((await ask('Hi', external.body._id)).body).to.include({ msg: 'askbot on external bot.' });
  });
});
