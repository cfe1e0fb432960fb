import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { addMany } from '#shared/domain/knowledge/contents.ts';
import { embedder, useEmbedder } from '#shared/embedding/embedder.ts';
import { hex } from '../support/chunk-rows.ts';
import { aSite } from '../support/fake-site.ts';
import { statuses } from '../support/knowledge.ts';
import { answerable, questionsOf } from '../support/question-set.ts';
import { type Trial, trial } from '../support/retrieval-trial.ts';
import { runJobs } from '../support/run-jobs.ts';

const site = () =>
  JSON.parse(readFileSync(new URL('../data/help-centre/site.json', import.meta.url), 'utf8')) as Record<string, string>;
const questions = questionsOf('help-centre/questions.json');
const all = questions.filter(answerable).length;

/** The short form of must-show 2; the long one is test/bench/retrieval.bench.ts. */
describe('retrieval on a help centre of 40 pages', () => {
  const id_project = hex(24);
  const pageOf = (url: string) => new URL(url).pathname;
  const ask = () => trial({ id_project, namespace: id_project }, questions, pageOf);

  before(async function fill() {
    this.timeout(60_000);
    const server = await aSite(site());
    const urls = Object.keys(server.pages).map(server.url);
    await addMany(
      id_project,
      urls.map((source) => ({ namespace: id_project, type: 'url', source, name: source })),
    );
    await runJobs();
    await server.close();
    expect(await statuses(id_project)).to.deep.equal({ 300: 40 });
  });

  describe('with the local model', () => {
    let result: Trial;

    before(async function askAll() {
      if (embedder()?.provider !== 'local') return this.skip();
      this.timeout(60_000);
      result = await ask();
    });

    it('finds a page that answers among the first five for nearly every question', () => {
      expect(result.quality.hybrid.recall5 * all).to.be.at.least(all - 1);
    });

    it('cites a page that answers and refuses at most one question it could answer', () => {
      expect(result.cited).to.be.at.least(all - 2);
      expect(result.refused.answerable).to.be.at.most(1);
    });

    it('refuses everything that is off the topic', () => {
      expect(result.refused.offTopic).to.equal(3);
    });
  });

  describe('without a model', () => {
    const model = embedder();
    before(() => useEmbedder(null));
    after(() => useEmbedder(model));

    it('still finds most pages by full text, answers with citations and refuses what is off the topic', async () => {
      const { quality, cited, refused } = await ask();
      expect(quality.hybrid.recall5 * all).to.be.at.least(all - 3);
      expect(cited).to.be.at.least(all / 2);
      expect(refused.offTopic).to.equal(3);
    });
  });
});
