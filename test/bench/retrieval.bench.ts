/**
 * Measures the retrieval quality on the Python documentation. The tuning sets, which include former held-out sets, are
 * always measured. The last held-out set, which was not used for tuning, is measured only with `HELD_OUT=1`. With
 * `RETRIEVAL_PLACE=project/namespace`, an existing namespace is measured, and no pages are imported.
 */
import { expect } from 'chai';
import { addMany } from '#shared/domain/knowledge/contents.ts';
import type { NamespaceKey } from '#shared/domain/knowledge/indexing/chunks.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { hex } from '../support/chunk-rows.ts';
import { aPythonDocsSite, missingPythonDocs } from '../support/python-docs-site.ts';
import { isAnswerable, questionsOf } from '../support/question-set.ts';
import { type RetrievalTrial, runRetrievalTrial } from '../support/retrieval-trials.ts';
import { runJobs } from '../support/run-jobs.ts';

const pageOf = (url: string) => new URL(url).pathname.slice(1);

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

function printResults(name: string, { results, quality, cited, refused }: RetrievalTrial): void {
  const of = (near?: boolean) => results.filter((one) => !isAnswerable(one) && one.near === near).length;
  const total = results.filter(isAnswerable).length;
  const times = results.map(({ ms }) => ms).toSorted((a, b) => a - b);
  console.log(`\n${name.padEnd(12)} recall@1  recall@5  MRR`);
  for (const [search, { recall1, recall5, mrr }] of Object.entries(quality))
    console.log(`${search.padEnd(12)} ${recall1.toFixed(3)}     ${recall5.toFixed(3)}     ${mrr.toFixed(3)}`);
  console.log(`a correct page cited: ${cited} of ${total}; refused: ${refused.answerable} of ${total} answerable,`);
  console.log(`${refused.near} of ${of(true)} near and ${refused.offTopic} of ${of(false)} off-topic questions`);
  console.log(`ms per question: median ${times.at(times.length / 2)?.toFixed(0)}, maximum ${times.at(-1)?.toFixed(0)}`);
}

describe('Retrieval on the Python documentation', () => {
  let namespaceKey: NamespaceKey;

  before(async function prepare() {
    if (missingPythonDocs() || !embedder()) return this.skip();
    this.timeout(3_600_000);
    namespaceKey = namespaceFromEnv() ?? (await importDocs());
  });

  it('prints the retrieval quality on the tuning sets', async () => {
    for (const set of ['tuning', 'own-tuning', 'held-out', 'held-out-2', 'held-out-3', 'held-out-4'])
      printResults(set, await runRetrievalTrial(namespaceKey, questionsOf(`python-docs/${set}.json`), pageOf));
  });

  it('retrieval meets its quality goals on questions that were not used for tuning', async function heldOut() {
    if (!process.env.HELD_OUT) return this.skip();
    const result = await runRetrievalTrial(namespaceKey, questionsOf('python-docs/held-out-5.json'), pageOf);
    printResults('held-out-5', result);
    for (const { question, answer } of result.results.filter(({ refused }) => !refused).slice(0, 5))
      console.log(`\n> ${question}\n\n${answer}`);
    const { quality, cited, refused } = result;
    expect(quality.hybrid.recall5).to.be.at.least(0.85);
    expect(quality.hybrid.recall5 - quality['full text'].recall5).to.be.at.least(0.05);
    expect(cited).to.be.at.least(48);
    expect(refused.near + refused.offTopic).to.be.at.least(16);
    expect(refused.answerable).to.be.at.most(6);
  });
});
