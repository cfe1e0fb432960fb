/** Compares the text of real documents with that of pdftotext and LibreOffice. */
import { expect } from 'chai';
import { type Block, toMarkdown } from '#shared/parsing/blocks.ts';
import { readDocx } from '#shared/parsing/docx.ts';
import { readPdf } from '#shared/parsing/pdf.ts';
import {
  compareTexts,
  convertWithOffice,
  htmlDocuments,
  missingHtml,
  missingOffice,
  missingPdfTools,
  pdfToText,
  type RealDocument,
  realPdfs,
  type TextSimilarity,
} from '../support/real-documents.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

const PDFS = 50;
const DOCX_FILES = 20;
const MAX_BYTES = 10_485_760;
/** A document with fewer words consists mostly of drawings or sheet music, and is skipped. */
const MIN_WORDS = 100;
const MIN_MEDIAN = 0.95;

const plain = (block: Block): string =>
  block.kind === 'heading' || block.kind === 'code' ? block.text : toMarkdown(block);
const textOf = (blocks: Block[]): string => blocks.map(plain).join('\n\n');

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

const report = (results: (TextSimilarity & { name: string; ms: number })[]): void => {
  const wordsMedian = median(results.map(({ words }) => words));
  const pairsMedian = median(results.map(({ pairs }) => pairs));
  console.log(
    `      ${results.length} documents: median of words ${wordsMedian.toFixed(4)}, of pairs ${pairsMedian.toFixed(4)}`,
  );
  for (const { name, words, pairs, length, ms } of results
    .toSorted((one, other) => one.pairs - other.pairs)
    .slice(0, 10))
    console.log(
      `      ${pairs.toFixed(4)} pairs, ${words.toFixed(4)} words of ${length}, ${ms.toFixed(0)} ms: ${name}`,
    );
  expect(pairsMedian, 'median similarity').to.be.at.least(MIN_MEDIAN);
};

describe('Text of documents', function () {
  this.timeout(1_800_000);

  it(`the text of ${PDFS} PDFs of documentation packages resembles that of pdftotext`, async function () {
    const reason = missingPdfTools(PDFS);
    if (reason) skipWithReason(this, reason);
    const results: Parameters<typeof report>[0] = [];
    for (const { name, bytes } of realPdfs(10 * PDFS, MAX_BYTES)) {
      const reference = pdfToText(bytes);
      if (compareTexts('', reference).length < MIN_WORDS) continue;
      const started = performance.now();
      const { blocks } = await readPdf(new Uint8Array(bytes));
      const ms = performance.now() - started;
      results.push({ name, ms, ...compareTexts(textOf(blocks), reference) });
      if (results.length === PDFS) break;
    }
    report(results);
  });

  it(`the text of ${DOCX_FILES} DOCX files that LibreOffice writes resembles that of LibreOffice`, async function () {
    const reason = missingOffice() ?? missingHtml();
    if (reason) skipWithReason(this, reason);
    const pages = htmlDocuments(DOCX_FILES);
    const docxFiles = await convertWithOffice(pages, 'docx');
    const files: RealDocument[] = pages.flatMap(({ name }, index) => {
      const bytes = docxFiles[index];
      return bytes ? [{ name: `${name}.docx`, bytes }] : [];
    });
    const references = await convertWithOffice(files, 'txt:Text (encoded):UTF8');
    const results: Parameters<typeof report>[0] = [];
    for (const [index, { name, bytes }] of files.entries()) {
      const started = performance.now();
      const { blocks } = await readDocx(bytes);
      const ms = performance.now() - started;
      results.push({ name, ms, ...compareTexts(textOf(blocks), String(references[index] ?? '')) });
    }
    expect(results).to.have.length(DOCX_FILES);
    report(results);
  });
});
