/** A real documentation site of over 500 pages goes in by its sitemap (must-show 2); kept for `retrieval.bench.ts`. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { embedder } from '#shared/embedding/embedder.ts';
import { usage } from '#shared/embedding/usage.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { repeatedIn, stainedBy } from '../support/boilerplate.ts';
import { passages, statuses } from '../support/knowledge.ts';
import { notRun } from '../support/not-run.ts';
import { type Import, importPythonDocs } from '../support/python-docs-import.ts';
import { noPythonDocs, pythonDocsPage } from '../support/python-docs-site.ts';
import { runJobs } from '../support/run-jobs.ts';

describe('the Python documentation', function () {
  this.timeout(3_600_000);
  let site: Import;

  before(async function prepare() {
    const reason = noPythonDocs() ?? (embedder() ? undefined : 'the embedding model is not here');
    if (reason) notRun(this, reason);
    site = await importPythonDocs();
    const { pages, seconds, tokens, memory, id_project } = site;
    console.log(`      ${pages.length} pages, ${tokens} tokens in ${seconds.toFixed(0)} s:`);
    console.log(`      ${(pages.length / seconds).toFixed(2)} pages, ${(tokens / seconds).toFixed(0)} tokens a second`);
    console.log(`      the worker held ${memory.toFixed(0)} MB at most; place ${id_project}/${id_project}`);
  });
  after(() => site?.site.close());

  it('is indexed to its last page, and the index holds what MongoDB holds', async () => {
    expect(site.pages.length).to.be.above(500);
    expect(site.statuses).to.deep.equal({ 300: site.pages.length });
    const { expected, stored, indexed } = await passages(site.id_project);
    expect(stored).to.have.length(expected);
    expect(indexed).to.deep.equal(stored);
    console.log(`      ${expected} passages`);
  });

  it('leaves its navigation, header, footer and licence behind', async () => {
    const repeated = repeatedIn(site.pages.map((page) => readFileSync(pythonDocsPage(page), 'utf8')));
    const all = await KbChunk.find({ id_project: site.id_project }, { text: 1, content: 1 }).lean();
    const stained = stainedBy(repeated, all);
    console.log(`      ${stained.length} of ${all.length} passages hold a line of more than half of the pages`);
    expect(stained.length / all.length).to.be.at.most(0.02);
  });

  it('is imported again without an embedding call or a new passage', async () => {
    const before = { known: await passages(site.id_project), texts: usage().texts };
    await site.addAgain();
    await runJobs();
    expect(await statuses(site.id_project)).to.deep.equal({ 300: site.pages.length });
    expect({ known: await passages(site.id_project), texts: usage().texts }).to.deep.equal(before);
  });
});
