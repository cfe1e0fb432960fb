/** Worker thread that renders transcripts as PDF, in a font that covers most alphabets. */
import { readFile } from 'node:fs/promises';
import Pdf from 'pdfkit';
import { serveTasks } from '#shared/concurrency/thread-tasks.ts';
import { hasRightToLeft, isRightToLeft, visualOrder } from './right-to-left.ts';
import type { TranscriptLine } from './transcript-lines.ts';

type PdfDocument = InstanceType<typeof Pdf>;

const FONT_URL = new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
const PAGE_OPTIONS = { size: 'A4', margin: 50, info: { Title: 'Transcript' } };
const GREY = '#666666';
/** Words are split every 200 characters, because the time to lay out a word grows with the square of its length. */
const LONG_WORD = /\S{200}(?=\S)/gu;

const createDocument = async (): Promise<PdfDocument> => {
  const font = await readFile(FONT_URL);
  const document = new Pdf({ ...PAGE_OPTIONS, font: font as unknown as string });
  return document.fontSize(10);
};

const textWidth = (document: PdfDocument): number => document.page.width - 2 * PAGE_OPTIONS.margin;

const widthOfWords = (document: PdfDocument, words: string[]): number => document.widthOfString(words.join(' '));

/** Breaks words into lines that fit the page. */
const wrapWords = (document: PdfDocument, words: string[]): string[][] => {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const word of words) {
    if (line.length && widthOfWords(document, [...line, word]) > textWidth(document)) {
      lines.push(line);
      line = [];
    }
    line.push(word);
  }
  return [...lines, line];
};

/** Writes words one by one in visual order, because the library writes all text from left to right. */
const writeBidirectional = (document: PdfDocument, text: string): void => {
  const backwards = isRightToLeft(text);
  const space = document.widthOfString(' ');
  for (const words of wrapWords(document, text.split(/\s+/))) {
    if (document.y + document.currentLineHeight() > document.page.maxY()) document.addPage();
    let x = PAGE_OPTIONS.margin + (backwards ? textWidth(document) - widthOfWords(document, words) : 0);
    for (const word of visualOrder(words, backwards)) {
      document.text(word, x, document.y, { lineBreak: false });
      x += document.widthOfString(word) + space;
    }
    document.moveDown();
  }
};

const writeText = (document: PdfDocument, text: string): void => {
  for (const paragraph of text.replace(LONG_WORD, '$& ').split('\n')) {
    if (hasRightToLeft(paragraph)) writeBidirectional(document, paragraph);
    else document.text(paragraph || ' ', PAGE_OPTIONS.margin);
  }
};

const writeLine = (document: PdfDocument, { createdAt, senderFullname, text }: TranscriptLine): void => {
  document.fillColor(GREY);
  writeText(document, `${senderFullname}  ${createdAt}`);
  document.fillColor('black');
  writeText(document, text);
  document.moveDown();
};

/** Renders the lines as a PDF document. */
const renderPdf = async (lines: TranscriptLine[]): Promise<Uint8Array<ArrayBuffer>> => {
  const document = await createDocument();
  for (const line of lines) writeLine(document, line);
  document.end();
  const pieces = await Array.fromAsync(document as unknown as AsyncIterable<Uint8Array>);
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
};

serveTasks(renderPdf, { failureCode: 'PDF', transfer: ({ buffer }) => [buffer] });
