/** Export and import of bots. */
import { expect } from 'chai';
import { Bot } from '#shared/models/bot.ts';
import { Intent } from '#shared/models/intent.ts';
import { api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';

type Fixture = Awaited<ReturnType<typeof aProject>>;

const INTENTS = 1000;

/** An exported bot whose intents have every field, texts in several scripts and nested objects. */
const aLargeBot = () => ({
  ...{ webhook_enabled: true, webhook_url: 'https://hooks.example.com/a', language: 'de', name: 'Großer Bot' },
  ...{ slug: 'groer-bot', type: 'internal', description: 'Zeile 1\nZeile 2 – 漢字 🤖' },
  attributes: { variables: { b: 1, a: [true, null, 1.5] } },
  intents: times(INTENTS, (n) => ({
    ...{
      webhook_enabled: n % 2 === 0,
      enabled: n % 3 !== 0,
      question: `Frage ${n}?\nNoch "eine" ${n}`,
      answer: `\\n ${n}`,
    },
    ...{ intent_display_name: `intent ${n}`, intent_id: `id-${n}`, language: 'de', agents_available: n % 5 === 0 },
    ...(n % 7 === 0 && {
      actions: [{ _tdActionType: 'reply', z: 1, a: { deep: ['x', 2] } }],
      attributes: { y: 1, x: 2 },
    }),
    ...(n % 11 === 0 && { form: { fields: [{ name: 'n' }] }, reply: { type: 'text', text: 'x' } }),
  })),
});

describe('Export and import of bots', () => {
  let fixture: Fixture;
  const root = (project = fixture.project.id) => `/v3/${project}/bots`;
  const importInto = (bot: string, body: object | string, query = '') =>
    api(fixture.admin).post(`${root()}/importjson/${bot}${query}`, body, { 'content-type': 'application/json' });
  const importWell = async (...args: Parameters<typeof importInto>) => {
    const { status, body, text } = await importInto(...args);
    expect(status, text).to.equal(200);
    return body;
  };
  const exportOf = async (bot: string, query = '') =>
    (await api(fixture.admin).get(`${root()}/exportjson/${bot}${query}`)).text;
  const countIntents = (id_faq_kb: string) => Intent.countDocuments({ id_project: fixture.project.id, id_faq_kb });

  before(async () => {
    fixture = await aProject();
  });

  it('a bot with 1,000 intents is exported as the same bytes before and after its import', async function () {
    this.timeout(60_000);
    const created = await importInto('null', aLargeBot(), '?create=true&overwrite=null');
    expect(created.body).to.include({ name: 'Großer Bot', language: 'de', slug: 'groer-bot' });
    const first = await exportOf(created.body._id);
    expect(JSON.parse(first).intents).to.have.length(INTENTS);
    expect(JSON.parse(first)).to.have.all.keys(
      ...['webhook_enabled', 'webhook_url', 'language', 'name', 'slug', 'type', 'description', 'attributes', 'intents'],
    );
    await importWell(created.body._id, first, '?replace=true');
    expect((await exportOf(created.body._id)) === first, 'imported into the same bot').to.equal(true);
    const other = await aProject();
    const path = `/v3/${other.project.id}/bots`;
    const json = { 'content-type': 'application/json' };
    const copy = (await api(other.admin).post(`${path}/importjson/null?create=true`, first, json)).body;
    const second = (await api(other.admin).get(`${path}/exportjson/${copy._id}`)).text;
    expect(second === first, 'imported into another project').to.equal(true);
    await api(other.admin).post(`${path}/importjson/${copy._id}?overwrite=true`, first, json);
    expect((await api(other.admin).get(`${path}/exportjson/${copy._id}`)).text === first, 'overwritten').to.equal(true);
  });

  it('a malformed import changes nothing', async () => {
    const { _id } = (
      await importInto('null', { name: 'Safe', intents: [{ intent_display_name: 'a', answer: 'A' }] }, '?create=true')
    ).body;
    const before = await exportOf(_id);
    const good = { intent_display_name: 'b', answer: 'B' };
    const malformed: [number, object | string][] = [
      [400, '{"intents": ['],
      [422, '[]'],
      [422, { name: 'No intents' }],
      [422, { intents: [good, { answer: 5 }] }],
      [422, { intents: [good, good] }],
      [422, { intents: [good, { ...good, intent_display_name: 'c', actions: { not: 'a list' } }] }],
      [422, { intents: [good], webhook_url: 'file:///etc/passwd' }],
      [422, { intents: [{ ...good, attributes: { $where: 'x' } }] }],
      [422, '{"intents": [{"intent_display_name": "b", "attributes": {"constructor": {"x": 1}}}]}'],
    ];
    const bots = await Bot.countDocuments({ id_project: fixture.project.id });
    for (const [status, body] of malformed)
      for (const query of ['?replace=true', '?create=true', '?overwrite=true'])
        expect((await importInto(_id, body, query)).status, JSON.stringify(body)).to.equal(status);
    expect(await exportOf(_id)).to.equal(before);
    expect(await Bot.countDocuments({ id_project: fixture.project.id })).to.equal(bots);
  });

  it('an import keeps, replaces or deletes the intents of the bot, as a dry run predicts', async () => {
    const start = {
      name: 'Target',
      intents: ['a', 'b'].map((name) => ({ intent_display_name: name, answer: `old ${name}` })),
    };
    const { _id } = (await importInto('null', start, '?create=true')).body;
    const file = {
      name: 'Renamed',
      intents: ['b', 'c'].map((name) => ({ intent_display_name: name, answer: `new ${name}` })),
    };
    const plan = async (query: string) => (await importInto(_id, file, `?dry_run=true&${query}`)).body;
    const before = await exportOf(_id);
    expect(await plan('')).to.deep.equal({
      dry_run: true,
      changes: { bot: { name: 'Renamed' }, intents: { created: ['c'], replaced: [], kept: ['b'], deleted: [] } },
    });
    expect((await plan('overwrite=true')).changes.intents).to.deep.equal({
      created: ['c'],
      replaced: ['b'],
      kept: [],
      deleted: [],
    });
    expect((await plan('replace=true')).changes.intents).to.deep.equal({
      created: ['b', 'c'],
      replaced: [],
      kept: [],
      deleted: ['a', 'b'],
    });
    expect(await exportOf(_id)).to.equal(before);
    const answers = async () =>
      JSON.parse(await exportOf(_id, '?intentsOnly=true')).intents.map(({ answer }: { answer: string }) => answer);
    await importWell(_id, file);
    expect(await answers()).to.deep.equal(['old a', 'old b', 'new c']);
    await importWell(_id, file, '?overwrite=true');
    expect(await answers()).to.deep.equal(['old a', 'new b', 'new c']);
    await importWell(_id, file, '?replace=true');
    expect(await answers()).to.deep.equal(['new b', 'new c']);
    expect(await countIntents(_id)).to.equal(2);
  });

  it('an import can switch off the webhook of a bot', async () => {
    const url = 'https://hooks.example.com/a';
    const start = { name: 'Hooked', webhook_enabled: true, webhook_url: url, intents: [] };
    const { _id } = (await importInto('null', start, '?create=true')).body;
    await importWell(_id, { webhook_enabled: false, description: '', intents: [] });
    const { body } = await api(fixture.admin).get(`${root()}/${_id}`);
    expect(body).to.include({ webhook_enabled: false, webhook_url: url, name: 'Hooked' });
  });

  it('an export omits the `globals` of a bot unless globals=1 is set, and an import replaces the id of the exported bot in its rules with the id of the new bot', async () => {
    const rule = { do: [{ message: { participants: ['bot_of_somewhere'] } }] };
    const file = { name: 'Rules', attributes: { globals: [{ key: 'k', value: 'v' }], rules: [rule] }, intents: [] };
    const { _id, attributes } = (await importInto('null', file, '?create=true')).body;
    expect(attributes.rules[0].do[0].message.participants).to.deep.equal([`bot_${_id}`]);
    expect(JSON.parse(await exportOf(_id)).attributes).to.have.all.keys('rules');
    expect(JSON.parse(await exportOf(_id, '?globals=1')).attributes.globals).to.deep.equal(file.attributes.globals);
    const { body } = await api(fixture.admin).get(`/v3/${fixture.project.id}/widgets`);
    expect(body.botsRules).to.deep.include(attributes.rules[0]);
  });

  it('an import accepts a form with the file in the `uploadFile` field', async () => {
    const form = new FormData();
    form.append('uploadFile', new Blob([JSON.stringify({ name: 'Form', intents: [] })]), 'bot.json');
    const { body } = await api(fixture.admin).post(`${root()}/importjson/null?create=true`, form);
    expect(body).to.include({ name: 'Form' });
  });
});
