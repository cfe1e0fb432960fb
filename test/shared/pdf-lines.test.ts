import { expect } from 'chai';
import { joinOverprinted } from '#shared/parsing/pdf-accents.ts';
import { type PdfTextItem, toLines } from '#shared/parsing/pdf-lines.ts';

const HEIGHT = 10;

interface Placed {
  str: string;
  x: number;
  width: number;
  y?: number;
  height?: number;
}

const item = ({ str, x, width, y = 700, height = HEIGHT }: Placed): PdfTextItem => ({
  ...{ str, width, height, fontName: 'f1', hasEOL: false },
  transform: [height, 0, 0, height, x, y],
});
const linesOf = (...items: Placed[]): string[] => toLines(items.map(item), new Set()).map(({ text }) => text);

describe('Lines of a PDF', () => {
  it('an accent that is printed over a letter becomes part of the letter', () => {
    expect(
      linesOf(
        { str: 'Institut f¨', x: 100, width: 50 },
        { str: 'ur Physik, Olˇ', x: 145, width: 60 },
        { str: 's´', x: 200, width: 9 },
        { str: 'ak', x: 204, width: 10 },
      ),
    ).to.deep.equal(['Institut für Physik, Olšák']);
  });

  it('both accents of a letter are kept, even if one is printed above the other', () => {
    expect(
      linesOf(
        { str: 'Thˆ', x: 100, width: 20 },
        { str: 'e', x: 115, width: 5 },
        { str: '´ T`', x: 115, width: 15, y: 702 },
        { str: 'anh', x: 125, width: 15 },
      ),
    ).to.deep.equal(['Thế Tành']);
  });

  it('an accent next to a letter remains a separate character', () => {
    expect(linesOf({ str: 'run `', x: 100, width: 30 }, { str: 'ls` now', x: 130, width: 30 })).to.deep.equal([
      'run `ls` now',
    ]);
  });

  it('the mark of a footnote is separated from the text of the footnote', () => {
    expect(
      linesOf({ str: '1', x: 100, width: 4, y: 704, height: 6 }, { str: 'The next term', x: 104.3, width: 60 }),
    ).to.deep.equal(['1 The next term']);
  });

  it('digits in formulas are not separated from the letters after them', () => {
    expect(
      linesOf(
        { str: 'H', x: 100, width: 7 },
        { str: '2', x: 107, width: 4, y: 698, height: 6 },
        { str: 'O', x: 111, width: 7 },
      ),
    ).to.deep.equal(['H2O']);
  });
});

describe('Accents in a PDF', () => {
  for (const [text, over, joined] of [
    ['f¨', 'ur', 'für'],
    ['na´', 'ıve', 'naíve'],
    ['fac', '¸ade', 'façade'],
    ['cafe', '´', 'café'],
  ] as const)
    it(`${text} and ${over} are joined into ${joined}`, () => {
      expect(joinOverprinted(text, over)).to.equal(joined);
    });

  for (const [text, over] of [
    ['bold', 'bold'],
    ['¨', '1'],
    ['´', 'q'],
    ['', '¨'],
  ] as const)
    it(`${JSON.stringify(text)} and ${JSON.stringify(over)} are not joined`, () => {
      expect(joinOverprinted(text, over)).to.equal(null);
    });
});
