/** Segments: saved filters over leads. */
import { expect } from 'chai';
import { Lead } from '#shared/models/lead.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject } from '../support/people.ts';
import { UNKNOWN_ID } from '../support/valid-call.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;
type FilterInput = [field: string, operator: string, value?: unknown];

const LEADS = [
  { fullname: 'Ann', email: 'ann@x.org', tags: ['vip'], properties: { age: 30, plan: 'gold' } },
  { fullname: 'anna', email: 'a.b@x.org', tags: [], attributes: { paid: true } },
  { fullname: 'Bob (x)', tags: [], properties: { age: '40', plan: null } },
];

const aProjectWithLeads = async () => {
  const fixture = await aProject();
  const { id } = fixture.project;
  const leads = LEADS.map((lead, index) => ({ ...lead, id_project: id, lead_id: `lead ${index}`, createdBy: 'test' }));
  await Lead.insertMany(leads);
  return fixture;
};

describe('Segments', () => {
  let fixture: ProjectFixture;
  const root = () => `/v3/${fixture.project.id}`;
  const filtersOf = (inputs: FilterInput[]) => inputs.map(([field, operator, value]) => ({ field, operator, value }));
  const make = async (inputs: FilterInput[], match = 'all') => {
    const { body } = await api(fixture.agent).post(`${root()}/segments`, {
      name: 'S',
      match,
      filters: filtersOf(inputs),
    });
    return body;
  };
  const leadsIn = async (segment: string, query = '') => {
    const { body } = await api(fixture.agent).get(
      `${root()}/leads?segment=${segment}&sort=fullname&direction=1${query}`,
    );
    return body.leads.map(({ fullname }: { fullname: string }) => fullname);
  };
  const preview = (inputs: FilterInput[], match = 'all') =>
    api(fixture.agent).post(`${root()}/segments/preview`, { match, filters: filtersOf(inputs) });

  before(async () => {
    fixture = await aProjectWithLeads();
  });

  const cases: [FilterInput, string[]][] = [
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
  for (const [input, names] of cases) {
    it(`a segment with the filter ${input.join(' ')} contains the matching leads`, async () => {
      const { _id } = await make([input]);
      expect(await leadsIn(_id)).to.deep.equal(names);
      expect((await preview([input])).body).to.deep.equal({ count: names.length });
    });
  }

  it('a segment contains the leads that match all of its filters or, with `match: any`, any of them, even if several filters are on one field', async () => {
    const inputs: FilterInput[] = [
      ['fullname', 'contains', 'nn'],
      ['fullname', 'starts with', 'anna'],
    ];
    expect(await leadsIn((await make(inputs))._id)).to.deep.equal(['anna']);
    expect(await leadsIn((await make(inputs, 'any'))._id)).to.deep.equal(['Ann', 'anna']);
  });

  it("a filter in the query replaces the segment's filter on the same field", async () => {
    const { _id } = await make([
      ['email', '=', 'ann@x.org'],
      ['fullname', 'contains', 'nn'],
    ]);
    expect(await leadsIn(_id, '&email=a.b@x.org')).to.deep.equal(['anna']);
    expect(await leadsIn(_id, '&with_email=1')).to.deep.equal(['Ann', 'anna']);
  });

  it('a segment compares filter values literally, never as a pattern or a MongoDB operator', async () => {
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

  it('an invalid segment filter is rejected with a 422 error that names the invalid part', async () => {
    const wrong: FilterInput[] = [
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
    for (const input of wrong) {
      const { status, body } = await preview([input]);
      expect(status, input.join(' ')).to.equal(422);
      expect(body.errors[0].path).to.match(/^filters\.0\.(field|operator|value)$/);
    }
  });

  it('segments are created, listed, partially updated and soft-deleted, and updating an unknown segment returns 404', async () => {
    const { project, agent } = fixture;
    const segment = await make([['fullname', '=', 'Ann']]);
    const one = `${root()}/segments/${segment._id}`;
    expect(segment).to.deep.include({ match: 'all', status: 100, createdBy: agent.id, id_project: project.id });
    const changed = (await api(agent).put(one, { name: 'Other', match: null })).body;
    expect(changed).to.deep.include({ name: 'Other', filters: segment.filters, match: 'all', __v: 1 });
    expect((await api(agent).get(`${root()}/segments?limit=1`)).body).to.deep.include({
      perPage: 1,
      segments: [changed],
    });
    expect((await api(agent).delete(one)).body.status).to.equal(0);
    for (const path of [one, `${root()}/leads?segment=${segment._id}`, `${root()}/leads?segment=x`])
      expect((await api(agent).get(path)).status).to.equal(404);
    expect((await api(agent).put(`${root()}/segments/${UNKNOWN_ID}`, { name: 'New' })).status).to.equal(404);
  });

  it('a segment filters conversations by their leads, together with other filters, and is ignored in calls by visitors', async () => {
    const { request_id, posted, project, owner, guest } = await aConversation({ text: 'Hi', senderFullname: 'Ann' });
    const [own, from] = [`/v3/${project.id}/segments`, `/v3/${project.id}/requests`];
    const filters = (name: string) => [
      { field: '_id', operator: '=', value: posted.body.request.lead._id },
      { field: 'fullname', operator: 'starts with', value: name },
    ];
    const add = async (name: string) =>
      (await api(owner).post(own, { name, match: 'all', filters: filters(name) })).body._id;
    const [ann, bob] = [await add('ann'), await add('bob')];
    const countFor = async (query: string) => (await api(owner).get(`${from}?segment=${query}`)).body.count;
    const counts = [await countFor(ann), await countFor(bob), await countFor(`${ann}&status=1000`)];
    expect(counts).to.deep.equal([1, 0, 0]);
    const mine = (await api(guest).get(`${from}/me?segment=${bob}`)).body.requests;
    expect(mine.map((request: { request_id: string }) => request.request_id)).to.deep.equal([request_id]);
    expect((await api(owner).get(`${from}?segment=${UNKNOWN_ID}`)).status).to.equal(404);
  });

  it('a segment of another project returns 404', async () => {
    const other = await aProject();
    const { _id } = await make([]);
    expect((await api(other.agent).get(`/v3/${other.project.id}/leads?segment=${_id}`)).status).to.equal(404);
  });
});
