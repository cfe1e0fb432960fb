/** Reads the text of PDFs that the product generates. */
import { inflateSync } from 'node:zlib';

const PDF_STREAM = /\/FlateDecode\s*>>\s*stream\r?\n/g;

const streamsOf = (pdf: Buffer): string[] =>
  [...pdf.toString('latin1').matchAll(PDF_STREAM)].map((begin) => {
    const start = begin.index + begin[0].length;
    return inflateSync(pdf.subarray(start, pdf.indexOf('endstream', start))).toString('latin1');
  });

const glyphTexts = (map: string): string[] =>
  (map.match(/\[(.*)\]/)?.[1] ?? '').split(' ').map((hex) => String.fromCodePoint(Number.parseInt(hex.slice(1), 16)));

/** The lines of a PDF, each from left to right; a letter that is missing from the font is `\0`. */
export const pdfLines = (pdf: Buffer): string[] => {
  const streams = streamsOf(pdf);
  const letters = glyphTexts(streams.find((stream) => stream.includes('beginbfrange')) ?? '');
  const page = streams.filter((stream) => stream.includes('TJ')).join('');
  return [...page.matchAll(/\[(.*)\] TJ/g)].map(([, set = '']) =>
    [...set.matchAll(/<([0-9a-f]+)>/g)]
      .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
      .map((glyph) => letters[Number.parseInt(glyph, 16)])
      .join(''),
  );
};
