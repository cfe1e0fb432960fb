/**
 * Measures the retrieval quality on the Python documentation. The tuning sets, which include former held-out sets, are
 * always measured. The last held-out set, which was not used for tuning, is measured only with `HELD_OUT=1`. With
 * `RETRIEVAL_PLACE=project/namespace`, an existing namespace is measured, and no pages are imported.
 */
import { expect } from 'chai';
import { addMany } from '#shared/domain/knowledge/contents.ts';
import { type Figures, figuresOf } from '#shared/domain/knowledge/evaluation/figures.ts';
import type { NamespaceKey } from '#shared/domain/knowledge/indexing/chunks.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { hex } from '../support/chunk-rows.ts';
import { aPythonDocsSite, missingPythonDocs } from '../support/python-docs-site.ts';
import { questionsOf, withTypingErrors } from '../support/question-set.ts';
import { type RetrievalTrial, runRetrievalTrial } from '../support/retrieval-trials.ts';
import { runJobs } from '../support/run-jobs.ts';

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

const printAnswers = (name: string, figures: Figures): void => {
  const { citationPrecision, citationRecall, factInAnswer, falseRefusals, refused, refusedNear } = figures;
  console.log(`${name}: citation precision ${format(citationPrecision)}, recall ${format(citationRecall)}`);
  console.log(`fact in the answer ${format(factInAnswer)}; false refusals ${format(falseRefusals)}`);
  console.log(`unanswerable questions refused ${format(refused)}, near ones ${format(refusedNear)}`);
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

  it('prints the retrieval quality on the tuning sets, without and with typing errors', async () => {
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
