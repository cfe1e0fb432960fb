/** With the model away full text works alone and says so; with it back the vectors are filled in (must-show 3). */
import { expect } from 'chai';
import { type Embedder, embedder, useEmbedder } from '#shared/embedding/embedder.ts';
import { usage } from '#shared/embedding/usage.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { enqueue } from '#shared/queue.ts';
import { api, type Reply } from '../support/api.ts';
import { aHelpCentre, type HelpCentre, importSite, pathOf } from '../support/help-centre.ts';
import { clearKnowledge, passages, statuses } from '../support/knowledge.ts';
import { notRun } from '../support/not-run.ts';
import { aProject } from '../support/people.ts';
import { answerable, qualityOf, questionsOf } from '../support/question-set.ts';
import { runJobs } from '../support/run-jobs.ts';
import { until } from '../support/until.ts';

const questions = questionsOf('help-centre/questions.json').filter(answerable);
const [first] = questions;

describe('A help centre while the model is away', function () {
  this.timeout(60_000);
  let model: Embedder;
  let world: Awaited<ReturnType<typeof aProject>>;
  let site: HelpCentre;
  let pid: string;
  let found: string[][];

  const ask = (more: object): Promise<Reply> =>
    api(world.admin).post(`/v3/${pid}/kb/qa`, { namespace: pid, question: first?.question, ...more });
  const namespace = async () => (await api(world.admin).get(`/v3/${pid}/kb/namespace/all`)).body[0];
  const withVector = () => KbChunk.countDocuments({ id_project: pid, vector: { $exists: true }, model: model.name });
  const readiness = async () => (await api().get('/health/ready')).body.parts.embedding;
  const sweep = async () => {
    await enqueue('upkeep.sweep-contents', {});
    await runJobs();
  };
  const search = async (): Promise<string[][]> => {
    const ranked: string[][] = [];
    for (const { question } of questions) {
      const { metadata } = (await ask({ question, chunks_only: true, top_k: 20 })).body;
      ranked.push([...new Set<string>(metadata.map(({ source }: { source: string }) => pathOf(source)))]);
    }
    return ranked;
  };

  before(async function () {
    model = embedder() ?? notRun(this, 'the embedding model is not here');
    useEmbedder(null);
    await clearKnowledge();
    [world, site] = await Promise.all([aProject(), aHelpCentre()]);
    pid = world.project.id;
  });
  after(async () => {
    if (model) useEmbedder(model);
    await site?.close();
  });

  it('is indexed at no embedding call, and answers by its words', async () => {
    const before = usage().texts;
    await importSite(site, world.admin, pid);
    expect(await statuses(pid)).to.deep.equal({ 300: 40 });
    expect(usage().texts).to.equal(before);
    const { expected, stored, indexed } = await passages(pid);
    expect(stored).to.have.length(expected).greaterThan(40);
    expect(indexed).to.deep.equal(stored);
    found = await search();
    expect(qualityOf(questions, found).recall5).to.be.at.least(0.5);
    const { body } = await ask({ question: 'The nightly report says W-210 and Mail was skipped' });
    expect(body).to.include({ success: true, model: 'extractive' });
    expect(body.citations).to.not.be.empty;
  });

  it('says so in its knowledge base, in its answers and in the readiness', async () => {
    expect((await namespace()).embedding).to.deep.equal({
      provider: 'none',
      name: 'full text alone',
      dimension: 0,
      api_key: '',
    });
    expect((await ask({})).body.search_mode).to.equal('full text');
    await until(async () => (await readiness()).provider === 'none');
    expect(await readiness()).to.include({ ok: true, text: 'full text alone' });
  });

  it('is filled in by a sweep when the model is back: nothing is fetched again, and the answers change', async () => {
    const before = { hits: [...site.hits], ...(await passages(pid)), texts: usage().texts };
    useEmbedder(model);
    await sweep();
    const after = await passages(pid);
    expect([...site.hits]).to.deep.equal(before.hits);
    expect(after.stored).to.deep.equal(before.stored);
    expect(after.indexed).to.deep.equal(after.stored);
    expect(await withVector()).to.equal(after.expected);
    expect(usage().texts).to.be.at.least(before.texts + 1);
    const now = await search();
    expect(now).to.not.deep.equal(found);
    expect(qualityOf(questions, now).recall5).to.be.at.least(qualityOf(questions, found).recall5);
    expect((await ask({})).body.search_mode).to.equal('hybrid');
    expect((await namespace()).embedding).to.include({ name: model.name, dimension: model.dimension });
    await until(async () => (await readiness()).name === model.name);
  });

  it('is left alone by the next sweep', async () => {
    const before = { known: await passages(pid), texts: usage().texts };
    await sweep();
    expect({ known: await passages(pid), texts: usage().texts }).to.deep.equal(before);
  });
});
