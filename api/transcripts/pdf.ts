/** A transcript as PDF: in a font that has the letters of most alphabets, made page by page. */
import { readFile } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import type PDFDocument from 'pdfkit';
import type { Line } from './lines.ts';
import { hasRightToLeft, inSight, isRightToLeft } from './right-to-left.ts';

type Document = InstanceType<typeof PDFDocument>;

const FONT = new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
const PAGE = { size: 'A4', margin: 50, info: { Title: 'Transcript' } };
const GREY = '#666666';
/** Setting text costs time that others wait for. */
const MOST_CHARS = 300_000;
const REST = 'What was said after this is in the text version.';

const aDocument = async (): Promise<Document> => {
  const [{ default: Pdf }, font] = await Promise.all([import('pdfkit'), readFile(FONT)]);
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
  for (const paragraph of text.split('\n')) {
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

/** The lines as the pieces of a PDF, as far as a document of a reasonable length goes; the last words of a cut one say so. */
export async function* pdf(lines: AsyncIterable<Line>): AsyncGenerator<Uint8Array> {
  let left = MOST_CHARS;
  let document: Document | undefined;
  for await (const line of lines) {
    document ??= await aDocument();
    left -= line.text.length;
    setLine(document, left < 0 ? { ...line, text: REST } : line);
    const piece = document.read() as Uint8Array | null;
    if (piece) yield piece;
    if (left < 0) break;
    await breathe();
  }
  document ??= await aDocument();
  document.end();
  yield* document as unknown as AsyncIterable<Uint8Array>;
}
