/** Contract b 9: segments, and what they hold. */
import { expect } from 'chai';
import { Lead } from '#shared/models/lead.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject } from '../support/people.ts';
import { UNKNOWN } from '../support/valid-call.ts';

type World = Awaited<ReturnType<typeof aProject>>;
type Asked = [field: string, operator: string, value?: unknown];

const LEADS = [
  { fullname: 'Ann', email: 'ann@x.org', tags: ['vip'], properties: { age: 30, plan: 'gold' } },
  { fullname: 'anna', email: 'a.b@x.org', tags: [], attributes: { paid: true } },
  { fullname: 'Bob (x)', tags: [], properties: { age: '40', plan: null } },
];

const aWorld = async () => {
  const world = await aProject();
  const { id } = world.project;
  const leads = LEADS.map((lead, at) => ({ ...lead, id_project: id, lead_id: `lead ${at}`, createdBy: 'test' }));
  await Lead.insertMany(leads);
  return world;
};

describe('Segments', () => {
  let world: World;
  const root = () => `/v3/${world.project.id}`;
  const filtersOf = (asked: Asked[]) => asked.map(([field, operator, value]) => ({ field, operator, value }));
  const make = async (asked: Asked[], match = 'all') => {
    const { body } = await api(world.agent).post(`${root()}/segments`, { name: 'S', match, filters: filtersOf(asked) });
    return body;
  };
  const held = async (segment: string, query = '') => {
    const { body } = await api(world.agent).get(`${root()}/leads?segment=${segment}&sort=fullname&direction=1${query}`);
    return body.leads.map(({ fullname }: { fullname: string }) => fullname);
  };
  const preview = (asked: Asked[], match = 'all') =>
    api(world.agent).post(`${root()}/segments/preview`, { match, filters: filtersOf(asked) });

  before(async () => {
    world = await aWorld();
  });

  const cases: [Asked, string[]][] = [
    [['fullname', '=', 'Ann'], ['Ann']],
    [['tags', '=', 'vip'], ['Ann']],
    [['properties.age', '=', '30'], ['Ann']],
    [['properties.age', '=', '40'], ['Bob (x)']],
    [['attributes.paid', '=', 'true'], ['anna']],
    [
      ['fullname', '!=', 'Ann'],
      ['Bob (x)', 'anna'],
    ],
    [
      ['properties.age', '>', '29'],
      ['Ann', 'Bob (x)'],
    ],
    [['properties.age', '>', '30'], ['Bob (x)']],
    [['properties.age', '>=', 30], ['Ann']],
    [
      ['createdAt', '>', '2020-01-01'],
      ['Ann', 'Bob (x)', 'anna'],
    ],
    [['status', '>', '100'], []],
    [
      ['fullname', 'starts with', 'ANN'],
      ['Ann', 'anna'],
    ],
    [['fullname', 'starts with', 'nn'], []],
    [
      ['fullname', 'contains', 'nn'],
      ['Ann', 'anna'],
    ],
    [['fullname', 'contains', 'NN'], []],
    [['email', 'is null'], ['Bob (x)']],
    [
      ['properties.plan', 'is null'],
      ['Bob (x)', 'anna'],
    ],
    [['properties.plan', 'is not null'], ['Ann']],
  ];
  for (const [asked, names] of cases) {
    it(`hold what ${asked.join(' ')} says`, async () => {
      const { _id } = await make([asked]);
      expect(await held(_id)).to.deep.equal(names);
      expect((await preview([asked])).body).to.deep.equal({ count: names.length });
    });
  }

  it('ask for all filters or for any, several of one field too', async () => {
    const asked: Asked[] = [
      ['fullname', 'contains', 'nn'],
      ['fullname', 'starts with', 'anna'],
    ];
    expect(await held((await make(asked))._id)).to.deep.equal(['anna']);
    expect(await held((await make(asked, 'any'))._id)).to.deep.equal(['Ann', 'anna']);
  });

  it('give way to what the query asks of the same field', async () => {
    const { _id } = await make([
      ['email', '=', 'ann@x.org'],
      ['fullname', 'contains', 'nn'],
    ]);
    expect(await held(_id, '&email=a.b@x.org')).to.deep.equal(['anna']);
    expect(await held(_id, '&with_email=1')).to.deep.equal(['Ann', 'anna']);
  });

  it('take what is asked for as a value, never as a pattern or an operator', async () => {
    for (const pattern of ['.*', '(x', '[a-z]', '^A', 'a|b', '\\w', '$'])
      for (const operator of ['contains', 'starts with'])
        expect((await preview([['fullname', operator, pattern]])).body.count, pattern).to.equal(
          pattern === '(x' && operator === 'contains' ? 1 : 0,
        );
    const operators = [{ $ne: 1 }, { $where: '1' }, [{ $gt: '' }], 'a\0b'];
    for (const value of operators)
      for (const field of ['fullname', 'properties.age'])
        expect((await preview([[field, '=', value]])).body, JSON.stringify(value)).to.not.have.property('count', 3);
  });

  it('refuse what cannot be asked, and name it (422)', async () => {
    const wrong: Asked[] = [
      ['id_project', '=', 'x'],
      ['$where', '=', '1'],
      ['email.$ne', '=', 'x'],
      ['properties.$where', '=', 'x'],
      ['properties..a', '=', 'x'],
      ['status', 'contains', '1'],
      ['status', '=', 'many'],
      ['createdAt', '>', 'once'],
      ['_id', '=', 'x'],
      ['fullname', '=', { a: 1 }],
      ['fullname', '='],
      ['fullname', 'regex', 'x'],
    ];
    for (const asked of wrong) {
      const { status, body } = await preview([asked]);
      expect(status, asked.join(' ')).to.equal(422);
      expect(body.errors[0].path).to.match(/^filters\.0\.(field|operator|value)$/);
    }
  });

  it('are made, listed, changed in parts and deleted softly; no change makes one (404)', async () => {
    const { project, agent } = world;
    const made = await make([['fullname', '=', 'Ann']]);
    const one = `${root()}/segments/${made._id}`;
    expect(made).to.deep.include({ match: 'all', status: 100, createdBy: agent.id, id_project: project.id });
    const changed = (await api(agent).put(one, { name: 'Other', match: null })).body;
    expect(changed).to.deep.include({ name: 'Other', filters: made.filters, match: 'all', __v: 1 });
    expect((await api(agent).get(`${root()}/segments?limit=1`)).body).to.deep.include({
      perPage: 1,
      segments: [changed],
    });
    expect((await api(agent).delete(one)).body.status).to.equal(0);
    for (const path of [one, `${root()}/leads?segment=${made._id}`, `${root()}/leads?segment=x`])
      expect((await api(agent).get(path)).status).to.equal(404);
    expect((await api(agent).put(`${root()}/segments/${UNKNOWN}`, { name: 'New' })).status).to.equal(404);
  });

  it('find conversations by their leads too, for the team alone, with whatever else is asked', async () => {
    const { request_id, posted, project, owner, guest } = await aConversation({ text: 'Hi', senderFullname: 'Ann' });
    const [own, from] = [`/v3/${project.id}/segments`, `/v3/${project.id}/requests`];
    const filters = (name: string) => [
      { field: '_id', operator: '=', value: posted.body.request.lead._id },
      { field: 'fullname', operator: 'starts with', value: name },
    ];
    const add = async (name: string) =>
      (await api(owner).post(own, { name, match: 'all', filters: filters(name) })).body._id;
    const [ann, bob] = [await add('ann'), await add('bob')];
    const found = async (query: string) => (await api(owner).get(`${from}?segment=${query}`)).body.count;
    const counts = [await found(ann), await found(bob), await found(`${ann}&status=1000`)];
    expect(counts).to.deep.equal([1, 0, 0]);
    const mine = (await api(guest).get(`${from}/me?segment=${bob}`)).body.requests;
    expect(mine.map((request: { request_id: string }) => request.request_id)).to.deep.equal([request_id]);
    expect((await api(owner).get(`${from}?segment=${UNKNOWN}`)).status).to.equal(404);
  });

  it("of another project hold nobody's leads (404)", async () => {
    const other = await aProject();
    const { _id } = await make([]);
    expect((await api(other.agent).get(`/v3/${other.project.id}/leads?segment=${_id}`)).status).to.equal(404);
  });
});
