import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';

type World = Awaited<ReturnType<typeof aProject>>;

const FOREIGN = 'Not allowed. The namespace does not belong to the current project.';
const MISSING = 'Missing required parameters: namespace and question';

describe('Unanswered questions', () => {
  let world: World;
  let other: World;
  let pid: string;
  let root: string;

  before(async () => {
    [world, other] = await Promise.all([aProject(), aProject()]);
    pid = world.project.id;
    root = `/v3/${pid}/kb/unanswered`;
  });

  const aNamespace = async ({ admin, project } = world): Promise<string> =>
    (await api(admin).post(`/v3/${project.id}/kb/namespace`, { name: 'Own' })).body.id;
  const log = (namespace: string, question: string, more: object = {}) =>
    api(world.admin).post(root, { namespace, question, ...more });

  it('are kept with the project of the path, whatever the body says', async () => {
    const more = { request_id: 'r1', sender: 's1', id_project: other.project.id, _id: '0'.repeat(24) };
    const { status, body } = await api(world.admin).post(`${root}/`, { namespace: pid, question: 'Why?', ...more });
    expect(status).to.equal(200);
    expect(body).to.include({ id_project: pid, namespace: pid, question: 'Why?', request_id: 'r1', sender: 's1' });
    expect(body._id)
      .to.match(/^[0-9a-f]{24}$/)
      .and.not.equal(more._id);
    expect(body).to.include.keys('createdAt', 'updatedAt', '__v');
  });

  it('ask for namespace and question (400)', async () => {
    for (const body of [{}, { namespace: pid }, { question: 'Why?' }, { namespace: '', question: 'Why?' }]) {
      const reply = await api(world.admin).post(root, body);
      expect([reply.status, reply.body.error]).to.deep.equal([400, MISSING]);
    }
    expect((await log(pid, 'q'.repeat(4001))).status).to.equal(422);
  });

  it('are listed by namespace, last first, 20 to a page, and counted', async () => {
    const namespace = await aNamespace();
    for (let at = 0; at < 22; at++) await log(namespace, `Question ${String(at).padStart(2, '0')}`);
    const first = (await api(world.admin).get(`${root}/${namespace}`)).body;
    expect([first.count, first.questions.length, first.questions[0].question]).to.deep.equal([22, 20, 'Question 21']);
    expect(first.query).to.deep.equal({ page: 0, limit: 20, sortField: 'createdAt', direction: -1 });
    const second = (await api(world.admin).get(`${root}/${namespace}?page=1`)).body;
    expect(second.questions.map(({ question }: { question: string }) => question)).to.deep.equal([
      'Question 01',
      'Question 00',
    ]);
    const named = (await api(world.admin).get(`${root}/${namespace}?sortField=question&direction=1&limit=1`)).body;
    expect(named.questions[0].question).to.equal('Question 00');
    expect((await api(world.admin).get(`${root}/count/${namespace}`)).body).to.deep.equal({ count: 22 });
    expect((await api(world.admin).get(`${root}/${namespace}?search=x`)).body.errors[0].path).to.equal('search');
  });

  it('are deleted one by one or all of a namespace', async () => {
    const [mine, kept] = [await aNamespace(), await aNamespace()];
    const { _id } = (await log(mine, 'One')).body;
    await log(mine, 'Two');
    await log(mine, 'Three');
    await log(kept, 'Four');
    const one = await api(world.admin).delete(`${root}/${_id}`);
    expect(one.body).to.deep.equal({ success: true, message: 'Question deleted successfully' });
    expect((await api(world.admin).delete(`${root}/${_id}`)).body.error).to.equal('Question not found');
    const all = await api(world.admin).delete(`${root}/namespace/${mine}`);
    expect(all.body).to.deep.equal({ success: true, count: 2, message: 'All questions deleted successfully' });
    expect((await api(world.admin).get(`${root}/count/${kept}`)).body.count).to.equal(1);
  });

  it('go with their knowledge base', async () => {
    const namespace = await aNamespace();
    const { _id } = (await log(namespace, 'Why?')).body;
    await api(world.admin).delete(`/v3/${pid}/kb/namespace/${namespace}`);
    expect((await api(world.admin).delete(`${root}/${_id}`)).status).to.equal(404);
  });

  it('of another project are as if they were not there: 403 by namespace, 404 by id (A1)', async () => {
    const theirs = await aNamespace(other);
    const body = { namespace: theirs, question: 'Theirs?' };
    const { _id } = (await api(other.admin).post(`/v3/${other.project.id}/kb/unanswered`, body)).body;
    for (const namespace of [theirs, other.project.id, '0'.repeat(24)]) {
      const replies = [
        await log(namespace, 'Mine?'),
        await api(world.admin).get(`${root}/${namespace}`),
        await api(world.admin).get(`${root}/count/${namespace}`),
        await api(world.admin).delete(`${root}/namespace/${namespace}`),
      ];
      for (const { status, body } of replies) expect([status, body.error]).to.deep.equal([403, FOREIGN]);
    }
    for (const id of [_id, '0'.repeat(24), 'x']) {
      const { status, body } = await api(world.admin).delete(`${root}/${id}`);
      expect([status, body.error]).to.deep.equal([404, 'Question not found']);
    }
    const { count } = (await api(other.admin).get(`/v3/${other.project.id}/kb/unanswered/count/${theirs}`)).body;
    expect(count).to.equal(1);
  });
});
