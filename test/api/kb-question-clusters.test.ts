/** Clusters of unanswered questions: a cluster becomes a FAQ, and the questions in the cluster are asked again. */
import { expect } from 'chai';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { reaskClusters } from '#shared/domain/knowledge/answers/reask-clusters.ts';
import { markUnclusteredQuestions } from '#shared/migrations/mark-unclustered-questions.ts';
import { KbAnsweredQuestion, KbUnansweredQuestion } from '#shared/models/kb-question.ts';
import { KbQuestionCluster } from '#shared/models/kb-question-cluster.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { api } from '../support/api.ts';
import { addContent, aTextBody } from '../support/content-bodies.ts';
import { wordEmbedder } from '../support/indexed-contents.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type ClusterReply = { _id: string; question: string; count: number; examples: string[]; [field: string]: unknown };

const CANCEL = [
  'How can I cancel my yearly plan?',
  'how can I cancel my yearly plan',
  'Can I cancel my yearly plan now?',
];
const PARKING = 'Where can visitors park their bicycles?';
const ANSWER = 'Open the settings, choose the plan, and press Cancel.';

describe('Clusters of unanswered questions', () => {
  const previousEmbedder = embedder();
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let namespace: string;
  let root: string;

  before(async () => {
    setEmbedder(wordEmbedder);
    fixture = await aProject();
    namespace = fixture.project.id;
    root = `/v3/${namespace}/kb`;
    await addContent(fixture.admin, namespace, aTextBody(namespace));
    await runJobs();
  });
  after(() => setEmbedder(previousEmbedder));

  const post = (path: string, body: object) => api(fixture.admin).post(`${root}/${path}`, body);
  const ask = async (question: string) => (await post('qa', { namespace, question })).body;
  const clusters = async (query = ''): Promise<ClusterReply[]> =>
    (await api(fixture.admin).get(`${root}/unanswered/clusters/${namespace}${query}`)).body.clusters;
  const update = async () => {
    await enqueue('maintenance.sweep-questions', {});
    await runJobs();
  };

  it('similar questions form a cluster, and clusters are listed with the largest first', async () => {
    for (const question of [PARKING, ...CANCEL]) expect((await ask(question)).success).to.equal(false);
    expect(await clusters()).to.deep.equal([]);
    await update();
    const [cancel, parking, ...others] = await clusters();
    expect(others).to.deep.equal([]);
    expect(cancel).to.include({ question: CANCEL[0], count: 3, namespace, id_project: namespace });
    expect(cancel?.examples).to.deep.equal(CANCEL.toReversed());
    expect(cancel?.first_asked_at).to.be.a('string');
    expect(parking).to.include({ question: PARKING, count: 1 });
    expect(await clusters('?page=1&limit=1')).to.have.deep.members([parking]);
  });

  it('a new question joins the cluster of similar questions, and no earlier question is embedded again', async () => {
    const embedded: string[] = [];
    const embed: typeof wordEmbedder.embed = (texts, options) => {
      embedded.push(...texts);
      return wordEmbedder.embed(texts, options);
    };
    setEmbedder({ ...wordEmbedder, embed });
    await post('unanswered', { namespace, question: 'Where can visitors park bicycles?' });
    await update();
    setEmbedder(wordEmbedder);
    expect(embedded).to.deep.equal(['Where can visitors park bicycles?']);
    expect((await clusters()).map(({ count }) => count)).to.deep.equal([3, 2]);
  });

  it('the number of questions in a cluster changes when a question is corrected or deleted', async () => {
    const [question] = (await api(fixture.admin).get(`${root}/unanswered/${namespace}?limit=1`)).body.questions;
    await api(fixture.admin).put(`${root}/unanswered/${question._id}`, { question: 'Is there a lift?' });
    await update();
    expect((await clusters()).map(({ count }) => count)).to.deep.equal([3, 1, 1]);
    await api(fixture.admin).delete(`${root}/unanswered/${question._id}`);
    expect((await clusters()).map(({ count }) => count)).to.deep.equal([3, 1]);
  });

  it('a promoted cluster becomes a FAQ, which is indexed, and the questions in the cluster are asked again', async () => {
    const [cluster] = await clusters();
    const promoted = await post(`unanswered/clusters/${cluster?._id}/faq`, { answer: ANSWER, tags: ['plans'] });
    expect(promoted.status).to.equal(200);
    const { content } = promoted.body;
    expect(content).to.deep.include({ type: 'faq', name: CANCEL[0], source: CANCEL[0], tags: ['plans'], status: -1 });
    expect(content.content).to.equal(`${CANCEL[0]}\n${ANSWER}`);
    expect(promoted.body.cluster).to.include({ content: content._id, count: 3 });
    await runJobs();
    await update();
    const [, result] = await clusters();
    expect(result).to.include({ content: content._id, count: 0, resolved: 3 });
    expect(result?.reasked_at).to.be.a('string');
    expect(await KbUnansweredQuestion.countDocuments({ id_project: namespace, question: { $in: CANCEL } })).to.equal(0);
    const answered = (await api(fixture.admin).get(`${root}/answered/${namespace}`)).body.questions;
    expect(answered.map(({ question }: { question: string }) => question)).to.have.members(CANCEL);
    for (const { answer } of answered) expect(answer).to.include('press Cancel');
  });

  it('if asking the questions of a cluster again is interrupted, each answered question is counted and logged once', async () => {
    const own = (await post('namespace', { name: 'Interrupted' })).body.id;
    const key = { id_project: namespace, namespace: own };
    const questions = ['How can I return my lamp?', 'how can I return my lamp', 'Can I return my lamp now?'];
    await KbUnansweredQuestion.create(questions.map((question) => ({ ...key, question, needsCluster: true })));
    await update();
    const read = async () => (await api(fixture.admin).get(`${root}/unanswered/clusters/${own}`)).body.clusters[0];
    const _id = (await read())._id;
    await post(`unanswered/clusters/${_id}/faq`, { answer: 'Put it into its box, and send it back.' });
    await runJobs();
    const before = await KbUnansweredQuestion.find(key).lean();
    const askAgain = async () => {
      await KbQuestionCluster.updateOne({ _id, id_project: namespace }, { reaskAt: new Date() });
      await reaskClusters(key, AbortSignal.timeout(10_000));
    };
    const embedded = new Set<string>();
    const embed: typeof wordEmbedder.embed = (texts, options) => {
      for (const question of questions.filter((each) => texts.includes(each))) embedded.add(question);
      if (embedded.size > 1) throw new Error('interrupted');
      return wordEmbedder.embed(texts, options);
    };
    setEmbedder({ ...wordEmbedder, embed });
    expect(await askAgain().catch(({ message }: Error) => message)).to.equal('interrupted');
    setEmbedder(wordEmbedder);
    const remaining = await KbUnansweredQuestion.find(key).lean();
    const removed = before.filter((each) => !remaining.some((other) => String(other._id) === String(each._id)));
    expect(removed).to.have.length(1);
    await askAgain();
    expect(await read()).to.include({ count: 0, resolved: 3 });
    // As if the first run had logged this question as answered, but been interrupted before it deleted the question.
    await KbUnansweredQuestion.insertMany(removed);
    await askAgain();
    expect(await KbAnsweredQuestion.countDocuments(key)).to.equal(3);
  });

  it('a FAQ answers its question even if the question is misspelt, and the reply names the FAQ as the source', async () => {
    for (const question of [CANCEL[0] as string, 'how do i cancle my yearly plan']) {
      const reply = await ask(question);
      expect(reply).to.include({ success: true, model: 'faq', answer: ANSWER, source: CANCEL[0] });
      expect(reply.citations).to.deep.equal([{ source_id: 1, source_name: CANCEL[0], source: CANCEL[0] }]);
    }
    expect((await ask('When can I cancel my yearly plan?')).model).to.not.equal('faq');
  });

  it('a streamed answer from a FAQ consists of the text in one piece, the whole reply and [DONE]', async () => {
    const { text } = await post('qa', { namespace, question: CANCEL[0], stream: true });
    expect(text.split('\n\n')[0]).to.equal(`data: ${JSON.stringify({ content: ANSWER })}`);
    expect(text)
      .to.include('"model":"faq"')
      .and.match(/data: \[DONE\]\n\n$/);
  });

  it('a knowledge base has at most 500 clusters; those with the fewest questions are dropped', async () => {
    const own = (await post('namespace', { name: 'Many' })).body.id;
    const questions = Array.from({ length: 600 }, (_, index) => ({
      ...{ id_project: namespace, namespace: own, needsCluster: true },
      question: index % 100 ? `w${index}a w${index}b w${index}c` : 'Where is the lift?',
    }));
    await KbUnansweredQuestion.insertMany(questions);
    await update();
    const found = (await api(fixture.admin).get(`${root}/unanswered/clusters/${own}?limit=1`)).body;
    expect(found.count).to.be.within(400, 500);
    expect(found.clusters[0]).to.include({ question: 'Where is the lift?', count: 6 });
    expect(await KbUnansweredQuestion.countDocuments({ id_project: namespace, namespace: own })).to.equal(600);
  });

  it('questions that were stored before clusters existed are clustered after a migration has marked them', async () => {
    const own = (await post('namespace', { name: 'Former' })).body.id;
    const question = { id_project: namespace, namespace: own, question: 'Is there a former question?' };
    await KbUnansweredQuestion.create([question]);
    await update();
    const read = async () => (await api(fixture.admin).get(`${root}/unanswered/clusters/${own}`)).body.count;
    expect(await read()).to.equal(0);
    await markUnclusteredQuestions();
    await update();
    expect(await read()).to.equal(1);
  });

  it("promoting a cluster returns 400 without an answer, and 404 for another project's cluster", async () => {
    const [cluster] = await clusters();
    const missing = await post(`unanswered/clusters/${cluster?._id}/faq`, {});
    expect([missing.status, missing.body.error]).to.deep.equal([400, "parameter 'answer' is not defined"]);
    const other = await aProject();
    const foreign = await api(other.admin).post(`/v3/${other.project.id}/kb/unanswered/clusters/${cluster?._id}/faq`, {
      answer: ANSWER,
    });
    expect([foreign.status, foreign.body.error]).to.deep.equal([404, 'Cluster not found']);
  });
});
