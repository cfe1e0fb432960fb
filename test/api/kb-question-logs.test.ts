/** The logs of answered and unanswered questions: recording, search, export and correction. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { addContent, aTextBody } from '../support/content-bodies.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;
type Question = Record<string, unknown>;

const HOURS_QUESTION = 'When does the shop open in the morning?';

describe('Logs of questions', () => {
  let fixture: ProjectFixture;
  let projectId: string;
  let root: string;

  before(async () => {
    fixture = await aProject();
    projectId = fixture.project.id;
    root = `/v3/${projectId}/kb`;
  });

  const aNamespace = async (): Promise<string> => (await post('namespace', { name: 'Own' })).body.id;
  const get = (path: string) => api(fixture.admin).get(`${root}/${path}`);
  const post = (path: string, body: object) => api(fixture.admin).post(`${root}/${path}`, body);
  const logAnswered = (namespace: string, question: string, more: object = {}) =>
    post('answered', { namespace, question, answer: `Answer to ${question}`, ...more });
  const questionsOf = async (path: string) =>
    (await get(path)).body.questions.map(({ question }: Question) => question);

  it('an answered question is logged with its answer and conversation, and one without an answer as unanswered', async () => {
    const namespace = await aNamespace();
    await addContent(fixture.admin, projectId, aTextBody(namespace));
    await runJobs();
    for (const question of [HOURS_QUESTION, 'Which planet has the most moons?'])
      await post('qa', { namespace, question, request_id: 'support-1' });
    const [answered] = (await get(`answered/${namespace}`)).body.questions;
    expect(answered).to.include({ question: HOURS_QUESTION, request_id: 'support-1', tokens: 0, namespace });
    expect(answered.answer).to.include('nine in the morning');
    const [unanswered] = (await get(`unanswered/${namespace}`)).body.questions;
    expect(unanswered).to.include({ question: 'Which planet has the most moons?', request_id: 'support-1' });
    expect((await get(`answered/count/${namespace}`)).body).to.deep.equal({ count: 1 });
  });

  it('answered questions are recorded, listed newest first and deleted', async () => {
    const namespace = await aNamespace();
    const { status, body } = await logAnswered(namespace, 'First?', { tokens: 7, request_id: 'r1' });
    expect(status).to.equal(200);
    expect(body).to.include({ question: 'First?', answer: 'Answer to First?', tokens: 7, request_id: 'r1' });
    await logAnswered(namespace, 'Second?');
    expect(await questionsOf(`answered/${namespace}`)).to.deep.equal(['Second?', 'First?']);
    const missing = await post('answered', { namespace, question: 'No answer?' });
    expect([missing.status, missing.body.error]).to.deep.equal([
      400,
      'Missing required parameters: namespace, question and answer',
    ]);
    expect((await api(fixture.admin).delete(`${root}/answered/${body._id}`)).body.success).to.equal(true);
    const all = await api(fixture.admin).delete(`${root}/answered/namespace/${namespace}`);
    expect(all.body).to.include({ success: true, count: 1 });
  });

  it('a search returns the questions whose log entries contain its words, the most relevant first, with their scores', async () => {
    const namespace = await aNamespace();
    for (const question of ['refund refund', 'refund of a voucher and something else', 'opening hours'])
      await post('unanswered', { namespace, question });
    const { body } = await get(`unanswered/${namespace}?search=refund`);
    expect(body.count).to.equal(2);
    expect(body.query.search).to.equal('refund');
    expect(body.questions.map(({ question }: Question) => question)).to.deep.equal([
      'refund refund',
      'refund of a voucher and something else',
    ]);
    expect(body.questions[0].score).to.be.greaterThan(body.questions[1].score);
    await logAnswered(namespace, 'x', { answer: 'the hidden word' });
    expect(await questionsOf(`answered/${namespace}?search=HIDDEN`)).to.deep.equal(['x']);
  });

  it('a log is exported as CSV and as JSON', async () => {
    const namespace = await aNamespace();
    await logAnswered(namespace, '=1+1', { tokens: 3, request_id: 'r1' });
    const csv = await get(`answered/${namespace}/export`);
    expect(csv.headers['content-type']).to.include('text/csv');
    expect(csv.headers['content-disposition']).to.include(`answered-${namespace}.csv`);
    const [header, row] = csv.text.split('\n');
    expect(header).to.equal('id;namespace;question;request_id;createdAt;answer;tokens');
    expect(row)
      .to.include(`;${namespace};'=1+1;r1;`)
      .and.match(/;Answer to =1\+1;3$/);
    const json = await get(`answered/${namespace}/export?mode=json`);
    expect(json.headers['content-type']).to.include('application/json');
    expect(json.headers['content-disposition']).to.include(`answered-${namespace}.json`);
    expect(JSON.parse(json.text)).to.deep.include({ namespace, count: 1 });
    expect(JSON.parse(json.text).questions[0]).to.include({ question: '=1+1', tokens: 3, id_project: projectId });
    await post('unanswered', { namespace, question: 'Why?', sender: 'visitor-1' });
    const unanswered = await get(`unanswered/${namespace}/export?mode=json`);
    expect(JSON.parse(unanswered.text).questions[0]).to.include({ question: 'Why?', sender: 'visitor-1' });
    expect(unanswered.text).to.not.include('needsCluster');
    const invalid = await get(`unanswered/${namespace}/export?mode=xml`);
    expect([invalid.status, invalid.body.error]).to.deep.equal([400, 'Invalid format. Use mode=json or mode=csv']);
  });

  it('the text of an unanswered question can be changed', async () => {
    const namespace = await aNamespace();
    const { _id } = (await post('unanswered', { namespace, question: 'Wy?' })).body;
    const put = (id: string, body: object) => api(fixture.admin).put(`${root}/unanswered/${id}`, body);
    expect((await put(_id, { question: 'Why?' })).body).to.include({ _id, question: 'Why?' });
    const missing = await put(_id, {});
    expect([missing.status, missing.body.error]).to.deep.equal([400, 'Missing required parameter: question']);
    const unknown = await put('0'.repeat(24), { question: 'Why?' });
    expect([unknown.status, unknown.body.error]).to.deep.equal([404, 'Question not found']);
  });

  it('reading the logs of a namespace of another project returns 403', async () => {
    const other = await aProject();
    for (const path of [`answered/${other.project.id}`, `answered/${other.project.id}/export`])
      expect((await get(path)).status).to.equal(403);
    expect((await get(`unanswered/clusters/${other.project.id}`)).status).to.equal(403);
  });
});
