/**
 * Without the embedding model, the knowledge base uses full-text search only and reports this. Once the model is
 * available again, missing vectors are added.
 */
import { expect } from 'chai';
import { isAnswerable } from '#shared/domain/knowledge/evaluation/question-file.ts';
import { type Embedder, embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { embeddingUsage } from '#shared/embedding/usage.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { api, type Reply } from '../support/api.ts';
import { aHelpCentre, type HelpCentre, importHelpCentre, urlPath } from '../support/help-centre.ts';
import { chunkIds, clearKnowledge, countByStatus } from '../support/knowledge.ts';
import { aProject } from '../support/people.ts';
import { questionsOf } from '../support/question-set.ts';
import { runJobs } from '../support/run-jobs.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';
import { waitUntil } from '../support/wait-until.ts';

const questions = questionsOf('help-centre/questions.json').filter(isAnswerable);
const [first] = questions;
/** All pages that answer one of the questions. */
const PAGES = [...new Set(questions.flatMap(({ pages }) => pages))];

/** The number of questions with a correct page among the first five. */
const countFound = (rankings: string[][]): number =>
  questions.filter(({ pages }, index) => rankings[index]?.slice(0, 5).some((page) => pages.includes(page))).length;

describe('Knowledge base without the embedding model', () => {
  let model: Embedder;
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let site: HelpCentre;
  let projectId: string;
  let rankings: string[][];

  const ask = (more: object): Promise<Reply> =>
    api(fixture.admin).post(`/v3/${projectId}/kb/qa`, { namespace: projectId, question: first?.question, ...more });
  const namespace = async () => (await api(fixture.admin).get(`/v3/${projectId}/kb/namespace/all`)).body[0];
  const countWithVector = () =>
    KbChunk.countDocuments({ id_project: projectId, vector: { $exists: true }, model: model.name });
  const readiness = async () => (await api().get('/health/ready')).body.parts.embedding;
  const sweep = async () => {
    await enqueue('maintenance.sweep-contents', {});
    await runJobs();
  };
  const search = async (): Promise<string[][]> => {
    const ranked: string[][] = [];
    for (const { question } of questions) {
      const { metadata } = (await ask({ question, chunks_only: true, top_k: 20 })).body;
      ranked.push([...new Set<string>(metadata.map(({ source }: { source: string }) => urlPath(source)))]);
    }
    return ranked;
  };

  before(async function () {
    model = embedder() ?? skipWithReason(this, 'the embedding model is not installed');
    setEmbedder(null);
    await clearKnowledge();
    [fixture, site] = await Promise.all([aProject(), aHelpCentre(PAGES)]);
    projectId = fixture.project.id;
  });
  after(async () => {
    if (model) setEmbedder(model);
    await site?.close();
  });

  it('a help centre is indexed without embedding calls, and full-text search finds its answers', async () => {
    const before = embeddingUsage().texts;
    await importHelpCentre(site, fixture.admin, projectId);
    expect(await countByStatus(projectId)).to.deep.equal({ 300: PAGES.length });
    expect(embeddingUsage().texts).to.equal(before);
    const { expected, stored, indexed } = await chunkIds(projectId);
    expect(stored).to.have.length(expected).greaterThan(PAGES.length);
    expect(indexed).to.deep.equal(stored);
    rankings = await search();
    expect(countFound(rankings)).to.be.at.least(questions.length / 2);
    const { body } = await ask({ question: 'The nightly report says W-210 and Mail was skipped' });
    expect(body).to.include({ success: true, model: 'extractive' });
    expect(body.citations).to.not.be.empty;
  });

  it('the knowledge base, its answers and /health/ready report that only full text is searched', async () => {
    expect((await namespace()).embedding).to.deep.equal({
      provider: 'none',
      name: 'full text only',
      dimension: 0,
      api_key: '',
    });
    expect((await ask({})).body.search_mode).to.equal('full text');
    await waitUntil(async () => (await readiness()).provider === 'none');
    expect(await readiness()).to.include({ ok: true, text: 'full text only' });
  });

  it('once the model is available again, a sweep adds the missing vectors without fetching pages again', async () => {
    const before = { hits: [...site.hits], ...(await chunkIds(projectId)), texts: embeddingUsage().texts };
    setEmbedder(model);
    await sweep();
    const after = await chunkIds(projectId);
    expect([...site.hits]).to.deep.equal(before.hits);
    expect(after.stored).to.deep.equal(before.stored);
    expect(after.indexed).to.deep.equal(after.stored);
    expect(await countWithVector()).to.equal(after.expected);
    expect(embeddingUsage().texts).to.be.at.least(before.texts + 1);
    const now = await search();
    expect(now).to.not.deep.equal(rankings);
    expect(countFound(now)).to.be.at.least(countFound(rankings));
    expect((await ask({})).body.search_mode).to.equal('hybrid');
    expect((await namespace()).embedding).to.include({ name: model.name, dimension: model.dimension });
    await waitUntil(async () => (await readiness()).name === model.name);
  });

  it('a second sweep changes no chunk and embeds no chunk', async () => {
    const before = await chunkIds(projectId);
    const { texts } = embeddingUsage();
    await sweep();
    expect(await chunkIds(projectId)).to.deep.equal(before);
    // An unanswered question from the previous tests may be embedded during the sweep.
    expect(embeddingUsage().texts - texts).to.be.at.most(1);
  });
});
