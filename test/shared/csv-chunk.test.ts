/** CSV is read in chunks: every row has its line number, and an invalid quote affects its own line only. */
import { expect } from 'chai';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { type CsvChunk, readChunk } from '#shared/domain/leads/import/csv-chunk.ts';

const cell = (signs: string[]) => fc.array(fc.constantFrom(...signs), { maxLength: 6 }).map((all) => all.join(''));
const table = (signs: string[]) => fc.array(fc.tuple(cell(signs), fc.constant('x'), cell(signs)), { maxLength: 12 });
const textOf = (rows: string[][]): string => stringify(rows, { delimiter: ';' });

/** Reads a text in chunks of `length` bytes. While a chunk contains no complete row, its length is doubled. */
const readAll = (text: string, length: number): CsvChunk['rows'] => {
  const bytes = Buffer.from(text);
  const rows: CsvChunk['rows'] = [];
  let [offset, line, window] = [0, 0, length];
  while (offset < bytes.length) {
    const isLast = offset + window >= bytes.length;
    const end = isLast ? bytes.length : bytes.lastIndexOf(10, offset + window - 1) + 1;
    const chunk = readChunk(bytes.subarray(offset, Math.max(offset, end)), ';', isLast);
    rows.push(...chunk.rows.map((row) => ({ ...row, line: line + row.line })));
    [offset, line] = [offset + chunk.bytes, line + chunk.lines];
    window = chunk.bytes ? length : window * 2;
  }
  return rows;
};

describe('Chunks of CSV', () => {
  it('every CSV row is read unchanged with the number of its first line, for any chunk size', () => {
    const signs = ['a', 'é', ';', '"', "'", ' ', ',', '\n', '\r\n'];
    fc.assert(
      fc.property(table(signs), fc.integer({ min: 1, max: 60 }), (rows, length) => {
        const read = readAll(textOf(rows), length);
        const lines = rows.map((_, index) => textOf(rows.slice(0, index)).split('\n').length - 1);
        expect(read.map(({ cells }) => cells)).to.deep.equal(rows);
        expect(read.map(({ line }) => line)).to.deep.equal(lines);
      }),
    );
  });

  it('only the CSV line with an unclosed or misplaced quote is skipped', () => {
    const broken = fc.constantFrom('"open;x;y\n', '"closed"early;x;y\n', 'late";x;y\n', '"open;"x"y;z\n');
    fc.assert(
      fc.property(table(['a', ' ', ',']), table(['b', "'"]), broken, (before, after, line) => {
        const chunk = readChunk(Buffer.from(textOf(before) + line + textOf(after)), ';', true);
        expect(chunk.rows.map(({ cells }) => cells)).to.deep.equal([...before, ...after]);
        expect(chunk.brokenLines).to.deep.equal([before.length]);
      }),
    );
  });

  it('an unclosed quote in a CSV chunk is reported only if the chunk is the last one', () => {
    const bytes = Buffer.from('a;b\n"c\n');
    expect(readChunk(bytes, ';', false)).to.include({ bytes: 4, lines: 1 });
    expect(readChunk(bytes, ';', true)).to.deep.include({ bytes: 7, brokenLines: [1] });
  });
});
