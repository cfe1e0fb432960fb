import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const FOREIGN_ERROR = 'Not allowed. The namespace does not belong to the current project.';
const MISSING_ERROR = 'Missing required parameters: namespace and question';

describe('Unanswered questions', () => {
  let fixture: ProjectFixture;
  let other: ProjectFixture;
  let projectId: string;
  let root: string;

  before(async () => {
    [fixture, other] = await Promise.all([aProject(), aProject()]);
    projectId = fixture.project.id;
    root = `/v3/${projectId}/kb/unanswered`;
  });

  const aNamespace = async ({ admin, project } = fixture): Promise<string> =>
    (await api(admin).post(`/v3/${project.id}/kb/namespace`, { name: 'Own' })).body.id;
  const logQuestion = (namespace: string, question: string, more: object = {}) =>
    api(fixture.admin).post(root, { namespace, question, ...more });

  it('an unanswered question is stored under the project in the path, not under the id_project in the body', async () => {
    const more = { request_id: 'r1', sender: 's1', id_project: other.project.id, _id: '0'.repeat(24) };
    const { status, body } = await api(fixture.admin).post(`${root}/`, {
      namespace: projectId,
      question: 'Why?',
      ...more,
    });
    expect(status).to.equal(200);
    expect(body).to.include({
      id_project: projectId,
      namespace: projectId,
      question: 'Why?',
      request_id: 'r1',
      sender: 's1',
    });
    expect(body._id)
      .to.match(/^[0-9a-f]{24}$/)
      .and.not.equal(more._id);
    expect(body).to.include.keys('createdAt', 'updatedAt', '__v');
  });

  it('logging an unanswered question returns 400 without a namespace or a question, and 422 if the question is too long', async () => {
    for (const body of [{}, { namespace: projectId }, { question: 'Why?' }, { namespace: '', question: 'Why?' }]) {
      const reply = await api(fixture.admin).post(root, body);
      expect([reply.status, reply.body.error]).to.deep.equal([400, MISSING_ERROR]);
    }
    expect((await logQuestion(projectId, 'q'.repeat(4001))).status).to.equal(422);
  });

  it('unanswered questions of a namespace are listed newest first, 20 per page, with their count', async () => {
    const namespace = await aNamespace();
    for (let index = 0; index < 22; index++) await logQuestion(namespace, `Question ${String(index).padStart(2, '0')}`);
    const first = (await api(fixture.admin).get(`${root}/${namespace}`)).body;
    expect([first.count, first.questions.length, first.questions[0].question]).to.deep.equal([22, 20, 'Question 21']);
    expect(first.query).to.deep.equal({ page: 0, limit: 20, sortField: 'createdAt', direction: -1 });
    const second = (await api(fixture.admin).get(`${root}/${namespace}?page=1`)).body;
    expect(second.questions.map(({ question }: { question: string }) => question)).to.deep.equal([
      'Question 01',
      'Question 00',
    ]);
    const byQuestion = (await api(fixture.admin).get(`${root}/${namespace}?sortField=question&direction=1&limit=1`))
      .body;
    expect(byQuestion.questions[0].question).to.equal('Question 00');
    expect((await api(fixture.admin).get(`${root}/count/${namespace}`)).body).to.deep.equal({ count: 22 });
  });

  it('unanswered questions are deleted one by one or for a whole namespace', async () => {
    const [emptied, untouched] = [await aNamespace(), await aNamespace()];
    const { _id } = (await logQuestion(emptied, 'One')).body;
    await logQuestion(emptied, 'Two');
    await logQuestion(emptied, 'Three');
    await logQuestion(untouched, 'Four');
    const one = await api(fixture.admin).delete(`${root}/${_id}`);
    expect(one.body).to.deep.equal({ success: true, message: 'Question deleted successfully' });
    expect((await api(fixture.admin).delete(`${root}/${_id}`)).body.error).to.equal('Question not found');
    const all = await api(fixture.admin).delete(`${root}/namespace/${emptied}`);
    expect(all.body).to.deep.equal({ success: true, count: 2, message: 'All questions deleted successfully' });
    expect((await api(fixture.admin).get(`${root}/count/${untouched}`)).body.count).to.equal(1);
  });

  it('deleting a knowledge base deletes its unanswered questions', async () => {
    const namespace = await aNamespace();
    const { _id } = (await logQuestion(namespace, 'Why?')).body;
    await api(fixture.admin).delete(`/v3/${projectId}/kb/namespace/${namespace}`);
    expect((await api(fixture.admin).delete(`${root}/${_id}`)).status).to.equal(404);
  });

  it('a namespace of another project returns 403, and the id of an unanswered question of another project returns 404', async () => {
    const foreignNamespace = await aNamespace(other);
    const body = { namespace: foreignNamespace, question: 'Theirs?' };
    const { _id } = (await api(other.admin).post(`/v3/${other.project.id}/kb/unanswered`, body)).body;
    for (const namespace of [foreignNamespace, other.project.id, '0'.repeat(24)]) {
      const replies = [
        await logQuestion(namespace, 'Mine?'),
        await api(fixture.admin).get(`${root}/${namespace}`),
        await api(fixture.admin).get(`${root}/count/${namespace}`),
        await api(fixture.admin).delete(`${root}/namespace/${namespace}`),
      ];
      for (const { status, body } of replies) expect([status, body.error]).to.deep.equal([403, FOREIGN_ERROR]);
    }
    for (const id of [_id, '0'.repeat(24), 'x']) {
      const { status, body } = await api(fixture.admin).delete(`${root}/${id}`);
      expect([status, body.error]).to.deep.equal([404, 'Question not found']);
    }
    const { count } = (await api(other.admin).get(`/v3/${other.project.id}/kb/unanswered/count/${foreignNamespace}`))
      .body;
    expect(count).to.equal(1);
  });
});
