/**
 * Measures the retrieval quality on the Python documentation, and the time of a retrieval from 100,000 chunks. The
 * tuning sets of questions, which include former held-out sets, are always measured. The last held-out set, which was
 * not used for tuning, is measured only with `HELD_OUT=1`. With `RETRIEVAL_PLACE=project/namespace`, an existing
 * namespace is measured, and no pages are imported.
 */
import { expect } from 'chai';
import { addMany } from '#shared/domain/knowledge/contents.ts';
import { type Figures, figuresOf } from '#shared/domain/knowledge/evaluation/figures.ts';
import { indexSpaceOf, type NamespaceKey } from '#shared/domain/knowledge/indexing/chunks.ts';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { contentWords } from '#shared/domain/knowledge/retrieval/question-words.ts';
import { retrieve } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { hex } from '../support/chunk-rows.ts';
import { aPythonDocsSite, missingPythonDocs } from '../support/python-docs-site.ts';
import { questionsOf, withTypingErrors } from '../support/question-set.ts';
import { type RetrievalTrial, runRetrievalTrial } from '../support/retrieval-trials.ts';
import { runJobs } from '../support/run-jobs.ts';
import { aBareSearch } from './parts/bare-search.ts';
import { aLargeNamespace, generatingEmbedder, largeNamespaceQuestions } from './parts/large-namespace.ts';

const TUNING_SETS = ['tuning', 'own-tuning', 'held-out', 'held-out-2', 'held-out-3', 'held-out-4'];

/** Imports the documentation into a new namespace and prints how long it took. */
async function importDocs(): Promise<NamespaceKey> {
  const project = hex(24);
  const site = await aPythonDocsSite();
  const started = performance.now();
  const urls = site.pages.map((page) => `${site.origin}/${page}`);
  await addMany(
    project,
    urls.map((url) => ({ namespace: project, type: 'url', source: url, name: url })),
  );
  await runJobs();
  await site.close();
  const indexed = await KbContent.countDocuments({ id_project: project, status: CONTENT_STATUS.indexed });
  console.log(`${indexed} of ${urls.length} pages in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return { id_project: project, namespace: project };
}

function namespaceFromEnv(): NamespaceKey | undefined {
  const [id_project, namespace] = process.env.RETRIEVAL_PLACE?.split('/') ?? [];
  return id_project && namespace ? { id_project, namespace } : undefined;
}

const format = (value: number | null): string => value?.toFixed(3) ?? '-';

/**
 * Prints shares of citations or questions. Citation precision: of the citations, those of a correct page. Of the
 * answerable questions, citation recall: those whose answer cites a correct page; false refusals: those refused.
 */
const printAnswers = (name: string, figures: Figures): void => {
  const { citationPrecision, citationRecall, factInAnswer, falseRefusals, refused, refusedNear } = figures;
  console.log(`${name}: citation precision ${format(citationPrecision)}, recall ${format(citationRecall)}`);
  console.log(`fact in the answer ${format(factInAnswer)}; false refusals ${format(falseRefusals)}`);
  console.log(`unanswerable questions refused ${format(refused)}; those on a related subject ${format(refusedNear)}`);
  console.log(`ms per question: median ${figures.msMedian?.toFixed(0)}, 95th percentile ${figures.ms95?.toFixed(0)}`);
};

function printResults(name: string, { figures }: RetrievalTrial): void {
  console.log(`\n${name.padEnd(12)} recall@1  recall@5  MRR`);
  for (const [search, { recall1, recall5, mrr }] of Object.entries(figures))
    console.log(`${search.padEnd(12)} ${format(recall1)}     ${format(recall5)}     ${format(mrr)}`);
  printAnswers(name, figures.hybrid);
}

describe('Retrieval on the Python documentation', () => {
  let namespaceKey: NamespaceKey;

  before(async function prepare() {
    if (missingPythonDocs() || !embedder()) return this.skip();
    this.timeout(3_600_000);
    namespaceKey = namespaceFromEnv() ?? (await importDocs());
  });

  it('prints the retrieval quality on the tuning sets, with and without typing errors', async () => {
    const [clean, misspelt] = [[], []] as [RetrievalTrial['results'], RetrievalTrial['results']];
    for (const set of TUNING_SETS) {
      const questions = questionsOf(`python-docs/${set}.json`);
      const trial = await runRetrievalTrial(namespaceKey, questions);
      printResults(set, trial);
      clean.push(...trial.results);
      misspelt.push(...(await runRetrievalTrial(namespaceKey, withTypingErrors(questions))).results);
    }
    printAnswers('all tuning sets', figuresOf(clean));
    printAnswers('all tuning sets with typing errors', figuresOf(misspelt));
  });

  it('retrieval meets its quality goals on questions that were not used for tuning', async function heldOut() {
    if (!process.env.HELD_OUT) return this.skip();
    const result = await runRetrievalTrial(namespaceKey, questionsOf('python-docs/held-out-5.json'));
    printResults('held-out-5', result);
    for (const { question, answer } of result.results.filter(({ refused }) => !refused).slice(0, 5))
      console.log(`\n> ${question}\n\n${answer}`);
    const { hybrid, 'full text': fullText } = result.figures;
    expect(hybrid.recall5).to.be.at.least(0.85);
    expect(Number(hybrid.recall5) - Number(fullText.recall5)).to.be.at.least(0.05);
    expect(hybrid.citationRecall).to.be.at.least(0.8);
    expect(hybrid.refused).to.be.at.least(0.8);
    expect(hybrid.falseRefusals).to.be.at.most(0.1);
  });
});

const LARGE_CHUNK_COUNT = Number(process.env.BENCH_CHUNKS ?? 100_000);
/** The number of hits that the product requests from each search. */
const HITS_PER_SEARCH = 100;
/** The first questions warm up caches and compiled code, and are not measured. */
const WARM_UP = 100;
const MAX_RATIO = 1.5;

const millisecondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] as number;

describe(`Retrieval from ${LARGE_CHUNK_COUNT} chunks`, function () {
  this.timeout(1_200_000);

  after(() => setEmbedder(undefined as never));

  let namespaceKey: NamespaceKey;

  it('a retrieval takes at most 1.5 times as long as a full-text and a vector search with LanceDB alone', async () => {
    setEmbedder(generatingEmbedder);
    const prepared = await millisecondsOf(async () => {
      namespaceKey = await aLargeNamespace(LARGE_CHUNK_COUNT);
    });
    console.log(`      stored and indexed in ${(prepared / 1000).toFixed(0)} s`);
    const search = await aBareSearch(indexSpaceOf(namespaceKey));
    const times = { product: [] as number[], bare: [] as number[], sameWords: [] as number[] };
    for (const [index, question] of largeNamespaceQuestions().entries()) {
      const [vector] = await generatingEmbedder.embed([question], { project: namespaceKey.id_project });
      const product = await millisecondsOf(() => retrieve(namespaceKey, question, { limit: 5 }));
      const bare = await millisecondsOf(() => search(question, vector as Float32Array, HITS_PER_SEARCH));
      const words = contentWords(question).join(' ');
      const sameWords = await millisecondsOf(() => search(words, vector as Float32Array, HITS_PER_SEARCH));
      if (index < WARM_UP) continue;
      times.product.push(product);
      times.bare.push(bare);
      times.sameWords.push(sameWords);
    }
    console.log(`      ${times.product.length} questions`);
    const ratios = [0.5, 0.95].map((share) => {
      const [product, bare, sameWords] = [times.product, times.bare, times.sameWords].map((each) =>
        percentile(each, share),
      ) as [number, number, number];
      const figures = `${product.toFixed(1)} ms, LanceDB alone ${bare.toFixed(1)} ms, ratio ${(product / bare).toFixed(2)}; LanceDB alone without stop words ${sameWords.toFixed(1)} ms, ratio ${(product / sameWords).toFixed(2)}`;
      console.log(`      p${share * 100}: product ${figures}`);
      return product / bare;
    });
    for (const ratio of ratios) expect(ratio).to.be.at.most(MAX_RATIO);
  });
});
