import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { addMany } from '#shared/domain/knowledge/contents.ts';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { hex } from '../support/chunk-rows.ts';
import { aSite } from '../support/fake-site.ts';
import { countByStatus } from '../support/knowledge.ts';
import { isAnswerable, questionsOf } from '../support/question-set.ts';
import { type RetrievalTrial, runRetrievalTrial } from '../support/retrieval-trials.ts';
import { runJobs } from '../support/run-jobs.ts';

const site = () =>
  JSON.parse(readFileSync(new URL('../data/help-centre/site.json', import.meta.url), 'utf8')) as Record<string, string>;
const questions = questionsOf('help-centre/questions.json');
const answerableCount = questions.filter(isAnswerable).length;

/** Retrieval quality on a small site; test/bench/retrieval.bench.ts measures it on a large one. */
describe('Retrieval quality on a help centre of 40 pages', () => {
  const id_project = hex(24);
  const pageOf = (url: string) => new URL(url).pathname;
  const ask = () => runRetrievalTrial({ id_project, namespace: id_project }, questions, pageOf);

  before(async function fill() {
    const server = await aSite(site());
    const urls = Object.keys(server.pages).map(server.url);
    await addMany(
      id_project,
      urls.map((source) => ({ namespace: id_project, type: 'url', source, name: source })),
    );
    await runJobs();
    await server.close();
    expect(await countByStatus(id_project)).to.deep.equal({ 300: 40 });
  });

  describe('with the local model', () => {
    let result: RetrievalTrial;

    before(async function askAll() {
      if (embedder()?.provider !== 'local') return this.skip();
      result = await ask();
    });

    it('retrieval with the local model ranks a right page among the first five for all questions but one', () => {
      expect(result.quality.hybrid.recall5 * answerableCount).to.be.at.least(answerableCount - 1);
    });

    it('answers with the local model cite a right page for all questions but two and refuse at most one', () => {
      expect(result.cited).to.be.at.least(answerableCount - 2);
      expect(result.refused.answerable).to.be.at.most(1);
    });

    it('every off-topic question is refused with the local model', () => {
      expect(result.refused.offTopic).to.equal(3);
    });
  });

  describe('without a model', () => {
    const model = embedder();
    before(() => setEmbedder(null));
    after(() => setEmbedder(model));

    it('retrieval without a model finds most pages by full text and refuses off-topic questions', async () => {
      const { quality, cited, refused } = await ask();
      expect(quality.hybrid.recall5 * answerableCount).to.be.at.least(answerableCount - 3);
      expect(cited).to.be.at.least(answerableCount / 2);
      expect(refused.offTopic).to.equal(3);
    });
  });
});
