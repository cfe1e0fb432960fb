import { expect } from 'chai';
import { api } from '../support/api.ts';
import { addContent, aTextBody } from '../support/content-bodies.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const UNKNOWN_ID = '0'.repeat(24);

describe('List of contents', () => {
  let fixture: ProjectFixture;
  let other: ProjectFixture;
  let projectId: string;
  let root: string;
  let namespace: string;
  const list = async (query = '') => (await api(fixture.admin).get(`${root}?namespace=${namespace}${query}`)).body;
  const names = async (query = '') => (await list(query)).kbs.map(({ name }: { name: string }) => name);

  const aNamespace = async ({ admin, project } = fixture): Promise<string> =>
    (await api(admin).post(`/v3/${project.id}/kb/namespace`, { name: 'Own' })).body.id;

  before(async () => {
    [fixture, other] = await Promise.all([aProject(), aProject()]);
    projectId = fixture.project.id;
    root = `/v3/${projectId}/kb`;
    namespace = await aNamespace();
    await runJobs();
    for (const name of ['a', 'b', 'c'])
      await addContent(fixture.admin, projectId, aTextBody(namespace, { name, source: `${name} (x)+$` }));
    await addContent(fixture.admin, projectId, aTextBody(namespace, { name: 'd', type: 'faq', source: 'How?' }));
    await runJobs();
    await addContent(fixture.admin, projectId, aTextBody(namespace, { name: 'e', source: 'Last one' }));
  });

  it('the list of contents starts with the most recently changed content, and returns the query parameters with their defaults', async () => {
    const { count, query, kbs } = await list();
    expect([count, kbs.length]).to.deep.equal([5, 5]);
    expect(query).to.deep.equal({ limit: 200, sortField: 'updatedAt', direction: -1, page: 0 });
    expect(kbs[0].name).to.equal('e');
  });

  it('the list of contents can be filtered by status and type, and returns the filters', async () => {
    expect(await names('&status=-1')).to.deep.equal(['e']);
    expect(await names('&status=300&type=faq')).to.deep.equal(['d']);
    expect((await list('&status=300&search=x')).query).to.include({ status: 300, search: 'x', page: 0 });
  });

  it('the list of contents is returned in pages without duplicates, and accepts both `sortField` and `sort`', async () => {
    const pages = await Promise.all([0, 1, 2].map((page) => names(`&limit=2&page=${page}&sortField=name&direction=1`)));
    expect(pages).to.deep.equal([['a', 'b'], ['c', 'd'], ['e']]);
    expect(await names('&sort=name&limit=1')).to.deep.equal(['e']);
  });

  it('a search in contents treats the search text literally, never as a pattern', async () => {
    expect(await names('&sortField=name&search=(x)%2B%24')).to.deep.equal(['c', 'b', 'a']);
    for (const search of ['.*', 'last', '(a%2B)%2B%24', '%5Ba-z%5D', '%5C', '$ne'])
      expect(await names(`&search=${search}`)).to.deep.equal([]);
    const long = await api(fixture.admin).get(`${root}?namespace=${namespace}&search=${'(a+)+'.repeat(201)}`);
    expect(long.status).to.equal(422);
    expect((await api(fixture.admin).get(`${root}?namespace=${namespace}&search=%00`)).status).to.equal(422);
  });

  it('the list of contents requires a namespace (400) and is empty for an unknown or foreign namespace', async () => {
    const missing = await api(fixture.admin).get(root);
    expect([missing.status, missing.body.error]).to.deep.equal([400, "queryParam 'namespace' is not defined"]);
    const foreignNamespace = await aNamespace(other);
    await addContent(other.admin, other.project.id, aTextBody(foreignNamespace));
    for (const id of [foreignNamespace, other.project.id, UNKNOWN_ID]) {
      const { status, body } = await api(fixture.admin).get(`${root}?namespace=${id}`);
      expect([status, body.count, body.kbs]).to.deep.equal([200, 0, []]);
    }
  });

  it('the list of contents rejects invalid limits, pages, sort orders, statuses and search texts (422)', async () => {
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
      expect((await api(fixture.admin).get(`${root}?namespace=${namespace}&${query}`)).status, query).to.equal(422);
  });
});
