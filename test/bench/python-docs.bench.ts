/** Imports a documentation site of over 500 pages through its sitemap. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { embedder } from '#shared/embedding/embedder.ts';
import { embeddingUsage } from '#shared/embedding/usage.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { chunksWithBoilerplate, repeatedTexts } from '../support/boilerplate.ts';
import { chunkIds, countByStatus } from '../support/knowledge.ts';
import { type DocsImport, importPythonDocs } from '../support/python-docs-import.ts';
import { missingPythonDocs, pythonDocsPage } from '../support/python-docs-site.ts';
import { runJobs } from '../support/run-jobs.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

describe('Import of the Python documentation', function () {
  this.timeout(3_600_000);
  let site: DocsImport;

  before(async function prepare() {
    const reason = missingPythonDocs() ?? (embedder() ? undefined : 'no embedding model is installed');
    if (reason) skipWithReason(this, reason);
    site = await importPythonDocs();
    const { pages, seconds, tokens, memory, id_project } = site;
    console.log(`      ${pages.length} pages, ${tokens} tokens in ${seconds.toFixed(0)} s:`);
    console.log(`      ${(pages.length / seconds).toFixed(2)} pages, ${(tokens / seconds).toFixed(0)} tokens a second`);
    console.log(`      peak memory of the worker: ${memory.toFixed(0)} MB; namespace ${id_project}/${id_project}`);
  });
  after(() => site?.site.close());

  it('every page of the Python documentation is indexed, and the index contains the same chunks as MongoDB', async () => {
    expect(site.pages.length).to.be.above(500);
    expect(site.statuses).to.deep.equal({ 300: site.pages.length });
    const { expected, stored, indexed } = await chunkIds(site.id_project);
    expect(stored).to.have.length(expected);
    expect(indexed).to.deep.equal(stored);
    console.log(`      ${expected} chunks`);
  });

  it('at most 2% of the chunks contain navigation, header, footer or licence text of the pages', async () => {
    const repeated = repeatedTexts(site.pages.map((page) => readFileSync(pythonDocsPage(page), 'utf8')));
    const all = await KbChunk.find({ id_project: site.id_project }, { text: 1, content: 1 }).lean();
    const stained = chunksWithBoilerplate(repeated, all);
    console.log(
      `      ${stained.length} of ${all.length} chunks contain a line that is on more than half of the pages`,
    );
    expect(stained.length / all.length).to.be.at.most(0.02);
  });

  it('importing the same pages again makes no embedding call and adds no chunk', async () => {
    const before = { chunkState: await chunkIds(site.id_project), texts: embeddingUsage().texts };
    await site.addAgain();
    await runJobs();
    expect(await countByStatus(site.id_project)).to.deep.equal({ 300: site.pages.length });
    expect({ chunkState: await chunkIds(site.id_project), texts: embeddingUsage().texts }).to.deep.equal(before);
  });
});
