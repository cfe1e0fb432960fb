/** The thread in which transcripts are set as PDF, in a font that has the letters of most alphabets. */
import { readFile } from 'node:fs/promises';
import { serve } from '#shared/threads/serve.ts';
import Pdf from 'pdfkit';
import type { Line } from './lines.ts';
import { hasRightToLeft, inSight, isRightToLeft } from './right-to-left.ts';

type Document = InstanceType<typeof Pdf>;

const FONT = new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
const PAGE = { size: 'A4', margin: 50, info: { Title: 'Transcript' } };
const GREY = '#666666';
/** Letters of a word: setting one costs the square of its length. */
const LONGEST_WORD = /\S{200}(?=\S)/gu;

const aDocument = async (): Promise<Document> => {
  const font = await readFile(FONT);
  const document = new Pdf({ ...PAGE, font: font as unknown as string });
  return document.fontSize(10);
};

const widthOf = (document: Document): number => document.page.width - 2 * PAGE.margin;

const widthOfAll = (document: Document, words: string[]): number => document.widthOfString(words.join(' '));

/** Words in lines that fit. */
const wrapped = (document: Document, words: string[]): string[][] => {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const word of words) {
    if (line.length && widthOfAll(document, [...line, word]) > widthOf(document)) {
      lines.push(line);
      line = [];
    }
    line.push(word);
  }
  return [...lines, line];
};

/** The library sets all text from left to right: words are put where they belong one by one. */
const setBothWays = (document: Document, text: string): void => {
  const backwards = isRightToLeft(text);
  const space = document.widthOfString(' ');
  for (const words of wrapped(document, text.split(/\s+/))) {
    if (document.y + document.currentLineHeight() > document.page.maxY()) document.addPage();
    let x = PAGE.margin + (backwards ? widthOf(document) - widthOfAll(document, words) : 0);
    for (const word of inSight(words, backwards)) {
      document.text(word, x, document.y, { lineBreak: false });
      x += document.widthOfString(word) + space;
    }
    document.moveDown();
  }
};

const set = (document: Document, text: string): void => {
  for (const paragraph of text.replace(LONGEST_WORD, '$& ').split('\n')) {
    if (hasRightToLeft(paragraph)) setBothWays(document, paragraph);
    else document.text(paragraph || ' ', PAGE.margin);
  }
};

const setLine = (document: Document, { createdAt, senderFullname, text }: Line): void => {
  document.fillColor(GREY);
  set(document, `${senderFullname}  ${createdAt}`);
  document.fillColor('black');
  set(document, text);
  document.moveDown();
};

/** The lines as a PDF. */
const made = async (lines: Line[]): Promise<Uint8Array<ArrayBuffer>> => {
  const document = await aDocument();
  for (const line of lines) setLine(document, line);
  document.end();
  const pieces = await Array.fromAsync(document as unknown as AsyncIterable<Uint8Array>);
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

serve(made, { failed: 'PDF', transfer: ({ buffer }) => [buffer] });
