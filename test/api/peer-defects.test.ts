/** Compares the table of defects of comparable products (test/data/peer-defects.md) with the tests that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const testFolder = new URL('./', import.meta.url);
const OWN_FILES = /^peer-defects-/;

const tableRows = readFileSync(new URL('../data/peer-defects.md', testFolder), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| defect'))
  .map((line) => line.slice(2, -2).split(' | '))
  .map(([defect = '', , file = '', test = '']) => ({ defect, file, test }));

/** The titles of a file's tests as they are written. */
const titlesIn = (file: string): string[] => {
  const source = new URL(`${file}.test.ts`, testFolder);
  const text = existsSync(source) ? readFileSync(source, 'utf8') : '';
  const titles = [...text.matchAll(/\bit\(\s*(['"`])([\s\S]*?)\1,/g)].map(([, , title = '']) => title);
  return titles.map((title) => title.replaceAll("\\'", "'"));
};

describe('Table of defects of comparable products', () => {
  for (const { defect, file, test } of tableRows) {
    it(`a test exists for the defect "${defect}"`, () => {
      expect(titlesIn(file)).to.include(test);
    });
  }

  it('each test of a peer-defects file has a row in the table', () => {
    const files = readdirSync(testFolder)
      .filter((name) => OWN_FILES.test(name))
      .map((name) => name.replace('.test.ts', ''));
    const titlesInTable = new Set(tableRows.map(({ test }) => test));
    const missing = files.flatMap(titlesIn).filter((title) => !titlesInTable.has(title));
    expect(files).to.have.lengthOf(3);
    expect(missing).to.deep.equal([]);
  });
});
