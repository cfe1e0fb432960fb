import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aText, added } from '../support/contents.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type World = Awaited<ReturnType<typeof aProject>>;

const UNKNOWN = '0'.repeat(24);

describe('The list of contents', () => {
  let world: World;
  let other: World;
  let pid: string;
  let root: string;
  let namespace: string;
  const list = async (query = '') => (await api(world.admin).get(`${root}?namespace=${namespace}${query}`)).body;
  const names = async (query = '') => (await list(query)).kbs.map(({ name }: { name: string }) => name);

  const aNamespace = async ({ admin, project } = world): Promise<string> =>
    (await api(admin).post(`/v3/${project.id}/kb/namespace`, { name: 'Own' })).body.id;

  before(async () => {
    [world, other] = await Promise.all([aProject(), aProject()]);
    pid = world.project.id;
    root = `/v3/${pid}/kb`;
    namespace = await aNamespace();
    await runJobs();
    for (const name of ['a', 'b', 'c'])
      await added(world.admin, pid, aText(namespace, { name, source: `${name} (x)+$` }));
    await added(world.admin, pid, aText(namespace, { name: 'd', type: 'faq', source: 'How?' }));
    await runJobs();
    await added(world.admin, pid, aText(namespace, { name: 'e', source: 'Last one' }));
  });

  it('shows the last changed first, 200 at most, and says how it was asked', async () => {
    const { count, query, kbs } = await list();
    expect([count, kbs.length]).to.deep.equal([5, 5]);
    expect(query).to.deep.equal({ limit: 200, sortField: 'updatedAt', direction: -1, page: 0 });
    expect(kbs[0].name).to.equal('e');
  });

  it('filters by status and type, and echoes them', async () => {
    expect(await names('&status=-1')).to.deep.equal(['e']);
    expect(await names('&status=300&type=faq')).to.deep.equal(['d']);
    expect((await list('&status=300&search=x')).query).to.include({ status: 300, search: 'x', page: 0 });
  });

  it('pages through an order without repeats, by either name of the field', async () => {
    const pages = await Promise.all([0, 1, 2].map((page) => names(`&limit=2&page=${page}&sortField=name&direction=1`)));
    expect(pages).to.deep.equal([['a', 'b'], ['c', 'd'], ['e']]);
    expect(await names('&sort=name&limit=1')).to.deep.equal(['e']);
  });

  it('finds text in the source as it is written, never a pattern (A15)', async () => {
    expect(await names('&sortField=name&search=(x)%2B%24')).to.deep.equal(['c', 'b', 'a']);
    for (const search of ['.*', 'last', '(a%2B)%2B%24', '%5Ba-z%5D', '%5C', '$ne'])
      expect(await names(`&search=${search}`)).to.deep.equal([]);
    const long = await api(world.admin).get(`${root}?namespace=${namespace}&search=${'(a+)+'.repeat(201)}`);
    expect(long.status).to.equal(422);
    expect((await api(world.admin).get(`${root}?namespace=${namespace}&search=%00`)).status).to.equal(422);
  });

  it('asks for the namespace (400); an unknown or foreign one is empty', async () => {
    const missing = await api(world.admin).get(root);
    expect([missing.status, missing.body.error]).to.deep.equal([400, "queryParam 'namespace' is not defined"]);
    const theirs = await aNamespace(other);
    await added(other.admin, other.project.id, aText(theirs));
    for (const id of [theirs, other.project.id, UNKNOWN]) {
      const { status, body } = await api(world.admin).get(`${root}?namespace=${id}`);
      expect([status, body.count, body.kbs]).to.deep.equal([200, 0, []]);
    }
  });

  it('refuses what is no number, order or page (422)', async () => {
    for (const query of [
      'limit=0',
      'limit=1001',
      'limit=a',
      'page=-1',
      'direction=2',
      'sortField=$where',
      'status=x',
      'search=a&search=b',
    ])
      expect((await api(world.admin).get(`${root}?namespace=${namespace}&${query}`)).status, query).to.equal(422);
  });
});
