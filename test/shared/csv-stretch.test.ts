/** Reading CSV stretch by stretch: every row with its line, and a quote that goes wrong costs its own line alone. */
import { expect } from 'chai';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { readStretch, type Stretch } from '#shared/domain/leads/csv-stretch.ts';

const cell = (signs: string[]) => fc.array(fc.constantFrom(...signs), { maxLength: 6 }).map((all) => all.join(''));
const table = (signs: string[]) => fc.array(fc.tuple(cell(signs), fc.constant('x'), cell(signs)), { maxLength: 12 });
const textOf = (rows: string[][]): string => stringify(rows, { delimiter: ';' });

/** Read a text as a file of which only so many bytes are at hand at first. */
const readAll = (text: string, length: number): Stretch['rows'] => {
  const bytes = Buffer.from(text);
  const found: Stretch['rows'] = [];
  let [at, line, window] = [0, 0, length];
  while (at < bytes.length) {
    const whole = at + window >= bytes.length;
    const end = whole ? bytes.length : bytes.lastIndexOf(10, at + window - 1) + 1;
    const stretch = readStretch(bytes.subarray(at, Math.max(at, end)), ';', whole);
    found.push(...stretch.rows.map((row) => ({ ...row, line: line + row.line })));
    [at, line] = [at + stretch.bytes, line + stretch.lines];
    window = stretch.bytes ? length : window * 2;
  }
  return found;
};

describe('A stretch of CSV', () => {
  it('gives every row as it was written, with the line that it begins in, wherever the file is cut', () => {
    const signs = ['a', 'é', ';', '"', "'", ' ', ',', '\n', '\r\n'];
    fc.assert(
      fc.property(table(signs), fc.integer({ min: 1, max: 60 }), (rows, length) => {
        const read = readAll(textOf(rows), length);
        const lines = rows.map((_, at) => textOf(rows.slice(0, at)).split('\n').length - 1);
        expect(read.map(({ cells }) => cells)).to.deep.equal(rows);
        expect(read.map(({ line }) => line)).to.deep.equal(lines);
      }),
    );
  });

  it('leaves out the line whose quote is never closed, or closed too early, and no other', () => {
    const broken = fc.constantFrom('"open;x;y\n', '"closed"early;x;y\n', 'late";x;y\n', '"open;"x"y;z\n');
    fc.assert(
      fc.property(table(['a', ' ', ',']), table(['b', "'"]), broken, (before, after, line) => {
        const stretch = readStretch(Buffer.from(textOf(before) + line + textOf(after)), ';', true);
        expect(stretch.rows.map(({ cells }) => cells)).to.deep.equal([...before, ...after]);
        expect(stretch.torn).to.deep.equal([before.length]);
      }),
    );
  });

  it('waits for what comes behind it before it calls a quote unclosed', () => {
    const bytes = Buffer.from('a;b\n"c\n');
    expect(readStretch(bytes, ';', false)).to.include({ bytes: 4, lines: 1 });
    expect(readStretch(bytes, ';', true)).to.deep.include({ bytes: 7, torn: [1] });
  });
});
