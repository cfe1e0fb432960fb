/**
 * Compares the words, and the pairs of adjacent words, that the parsers extract from real documents with the output of
 * pdftotext and LibreOffice.
 */
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

/**
 * How similar the text extracted from a document is to the reference: the shares of words and of pairs of adjacent
 * words that they have in common. For a PDF, the reference is the text as pdftotext reads it column by column; `rows`
 * is the share of pairs in common with the text as pdftotext reads it row by row, across the columns.
 */
interface Result extends TextSimilarity {
  name: string;
  ms: number;
  rows?: number;
}

/** Returns the smallest value, the quartiles and the largest value. */
const distribution = (values: number[]): number[] => {
  const sorted = values.toSorted((one, other) => one - other);
  return [0, 0.25, 0.5, 0.75, 1].map((share) => sorted[Math.round((sorted.length - 1) * share)] ?? 0);
};

const printDistribution = (label: string, values: number[]): void => {
  const [min, lower, median, upper, max] = distribution(values).map((value) => value.toFixed(4));
  console.log(`      ${label}: min ${min}, quartiles ${lower}, ${median}, ${upper}, max ${max}`);
};

const formatResult = ({ name, words, pairs, rows, length, ms }: Result): string => {
  const byRow = rows === undefined ? '' : ` (by row ${rows.toFixed(4)})`;
  return `      pairs ${pairs.toFixed(4)}${byRow}, words ${words.toFixed(4)} (${length} words), ${ms.toFixed(0)} ms: ${name}`;
};

const report = (results: Result[]): void => {
  const pairs = results.map((result) => result.pairs);
  printDistribution(`share of the pairs of words in common with the reference, in ${results.length} documents`, pairs);
  printDistribution(
    'share of the words in common with the reference',
    results.map(({ words }) => words),
  );
  const rows = results.flatMap((result) => result.rows ?? []);
  if (rows.length) {
    printDistribution('pairs of words, reference produced row by row', rows);
    printDistribution(
      'pairs of words, with the reference (by column or by row) that the text of each document resembles more',
      results.map((result) => Math.max(result.pairs, result.rows ?? 0)),
    );
  }
  for (const result of results.toSorted((one, other) => one.pairs - other.pairs).slice(0, 10))
    console.log(formatResult(result));
  expect(distribution(pairs)[2], 'median similarity').to.be.at.least(MIN_MEDIAN);
};

describe('Text of documents', function () {
  this.timeout(1_800_000);

  it(`the text extracted from ${PDFS} PDFs of documentation packages resembles the output of pdftotext`, async function () {
    const reason = missingPdfTools(PDFS);
    if (reason) skipWithReason(this, reason);
    const results: Result[] = [];
    for (const { name, bytes } of realPdfs(10 * PDFS, MAX_BYTES)) {
      const reference = pdfToText(bytes, 'columns');
      if (compareTexts('', reference).length < MIN_WORDS) continue;
      const started = performance.now();
      const { blocks } = await readPdf(new Uint8Array(bytes));
      const ms = performance.now() - started;
      const text = textOf(blocks);
      const rows = compareTexts(text, pdfToText(bytes, 'rows')).pairs;
      results.push({ name, ms, rows, ...compareTexts(text, reference) });
      if (results.length === PDFS) break;
    }
    report(results);
  });

  it(`the text extracted from ${DOCX_FILES} DOCX files that LibreOffice wrote resembles the output of LibreOffice`, async function () {
    const reason = missingOffice() ?? missingHtml();
    if (reason) skipWithReason(this, reason);
    const pages = htmlDocuments(DOCX_FILES);
    const docxFiles = await convertWithOffice(pages, 'docx');
    const files: RealDocument[] = pages.flatMap(({ name }, index) => {
      const bytes = docxFiles[index];
      return bytes ? [{ name: `${name}.docx`, bytes }] : [];
    });
    const references = await convertWithOffice(files, 'txt:Text (encoded):UTF8');
    const results: Result[] = [];
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
