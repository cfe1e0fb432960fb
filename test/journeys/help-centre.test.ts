/**
 * Imports a help centre through its sitemap and asks questions about it. test/bench/retrieval.bench.ts measures the
 * quality of retrieval on a large site.
 */
import { expect } from 'chai';
import { evaluate, type EvaluatedQuestion } from '#shared/domain/knowledge/evaluation/evaluate.ts';
import { type Figures, figuresOf } from '#shared/domain/knowledge/evaluation/figures.ts';
import { isAnswerable } from '#shared/domain/knowledge/evaluation/question-file.ts';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { embeddingUsage } from '#shared/embedding/usage.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { api, type Reply } from '../support/api.ts';
import { chunksWithBoilerplate, repeatedTexts } from '../support/boilerplate.ts';
import { aHelpCentre, type HelpCentre, importHelpCentre, urlPath } from '../support/help-centre.ts';
import { chunkIds, countByStatus } from '../support/knowledge.ts';
import { aProject } from '../support/people.ts';
import { questionsOf, withTypingErrors } from '../support/question-set.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

const PAGE_COUNT = 40;
const TOP_RESULTS = 20;
/** The number of chunks used for an answer: the default of the API. */
const TOP_K = 5;
/** The number of answerable questions that are put to the API: few, since extracting an answer takes 100 ms. */
const ANSWERED_BY_API = 3;

describe('Help centre import and answers', () => {
  const questions = questionsOf('help-centre/questions.json');
  const answerable = questions.filter(isAnswerable);
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let site: HelpCentre;
  let projectId: string;

  before(async function () {
    if (!embedder()) skipWithReason(this, 'the embedding model is not installed');
    [fixture, site] = await Promise.all([aProject(), aHelpCentre()]);
    projectId = fixture.project.id;
    await importHelpCentre(site, fixture.admin, projectId);
  });
  after(() => site?.close());

  const ask = (question: string, more: object = {}): Promise<Reply> =>
    api(fixture.admin).post(`/v3/${projectId}/kb/qa`, { namespace: projectId, question, ...more });
  const pagesOf = (sources: { source: string }[]): string[] => [
    ...new Set(sources.map((each) => urlPath(each.source))),
  ];
  const runTrial = (some = questions) =>
    evaluate({ id_project: projectId, namespace: projectId }, some, { topK: TOP_K });
  const pathsOf = (sources: string[]) => sources.map(urlPath);
  const chunks = () => KbChunk.find({ id_project: projectId }, { text: 1, content: 1, vector: 1 }).lean();

  it('all 40 pages of a help centre are indexed, each chunk once and with a vector', async () => {
    expect(await countByStatus(projectId)).to.deep.equal({ 300: PAGE_COUNT });
    const { expected, stored, indexed } = await chunkIds(projectId);
    expect(stored).to.have.length(expected).greaterThan(PAGE_COUNT);
    expect(indexed).to.deep.equal(stored);
    expect((await chunks()).filter(({ vector }) => !vector)).to.deep.equal([]);
  });

  it('at most 2% of the indexed chunks contain navigation, header, footer or licence text', async () => {
    const repeated = repeatedTexts(Object.values(site.html));
    expect([...repeated].some((text) => text.includes('CC BY 4.0'))).to.equal(true);
    const all = await chunks();
    const isFooter = ({ text }: { text: string }) =>
      text.includes('CC BY 4.0') || text.includes('Was this page helpful');
    const withBoilerplate = new Set([...chunksWithBoilerplate(repeated, all), ...all.filter(isFooter)]);
    const texts = [...withBoilerplate].map(({ text }) => text).join('\n---\n');
    expect(withBoilerplate.size / all.length, texts).to.be.at.most(0.02);
  });

  it('a second import of the same help centre embeds no text and adds no chunk', async () => {
    const before = { chunkState: await chunkIds(projectId), texts: embeddingUsage().texts };
    await importHelpCentre(site, fixture.admin, projectId);
    expect({ chunkState: await chunkIds(projectId), texts: embeddingUsage().texts }).to.deep.equal(before);
    expect(await countByStatus(projectId)).to.deep.equal({ 300: PAGE_COUNT });
  });

  describe('retrieval with the local model', () => {
    let results: EvaluatedQuestion[];
    let figures: Figures;

    before(async () => {
      results = await runTrial();
      figures = figuresOf(results);
    });

    it('ranks a correct page among the first five for all answerable questions but at most one', () => {
      expect(Number(figures.recall5) * answerable.length).to.be.at.least(answerable.length - 1.01);
    });

    it('leads to answers that cite a correct page for all answerable questions but at most two, and to the refusal of at most one', () => {
      expect(Number(figures.citationRecall) * answerable.length).to.be.at.least(answerable.length - 2.01);
      expect(Number(figures.falseRefusals) * answerable.length).to.be.at.most(1.01);
    });

    it('leads to citations of which at least half name a correct page', () => {
      expect(figures.citationPrecision).to.be.at.least(0.5);
    });

    it('refuses every off-topic question', () => {
      expect(results.filter(({ near, refused }) => near === false && refused)).to.have.length(3);
    });

    it('for answerable questions with typing errors, leads to at most two refusals, and to a correct citation for all but at most four', async () => {
      const misspelt = figuresOf(await runTrial(withTypingErrors(answerable)));
      expect(Number(misspelt.falseRefusals) * answerable.length).to.be.at.most(2.01);
      expect(Number(misspelt.citationRecall) * answerable.length).to.be.at.least(answerable.length - 4.01);
    });

    it('yields the same best pages, citations and refusals directly and through the API, and the API counts the refused questions', async () => {
      const known = results.filter(isAnswerable);
      const isSampled = ({ near }: EvaluatedQuestion) => near !== undefined;
      const sample = [...known.slice(0, ANSWERED_BY_API), ...results.filter(isSampled)];
      for (const { question, found } of known) {
        const { metadata } = (await ask(question, { chunks_only: true, top_k: TOP_RESULTS })).body;
        expect(pagesOf(metadata)[0], question).to.equal(pathsOf(found)[0]);
      }
      for (const { question, cited, refused } of sample) {
        const { success, citations } = (await ask(question)).body;
        expect({ refused: !success, cited: pagesOf(citations) }, question).to.deep.equal({
          refused,
          cited: pathsOf(cited),
        });
      }
      const { count } = (await api(fixture.admin).get(`/v3/${projectId}/kb/unanswered/count/${projectId}`)).body;
      expect(count)
        .to.equal(sample.filter(({ refused }) => refused).length)
        .and.greaterThan(0);
    });
  });

  it('retrieval without a model finds most pages by full text and refuses off-topic questions', async () => {
    const model = embedder();
    setEmbedder(null);
    const results = await runTrial().finally(() => setEmbedder(model));
    const { recall5, citationRecall } = figuresOf(results);
    expect(Number(recall5) * answerable.length).to.be.at.least(answerable.length - 3.01);
    expect(citationRecall).to.be.at.least(0.5);
    expect(results.filter(({ near, refused }) => near === false && refused)).to.have.length(3);
  });
});
