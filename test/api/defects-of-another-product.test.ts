/** Checks that the table test/data/defects-of-another-product.md and the tests that it names agree. */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const testFolder = new URL('./', import.meta.url);
/** The files that were written for the table: each of their tests has a row. */
const OWN_FILES = ['account-rules', 'conversation-rules', 'record-rules'];

const tableRows = readFileSync(new URL('../data/defects-of-another-product.md', testFolder), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| defect'))
  .map((line) => line.slice(2, -2).split(' | '))
  .map(([defect = '', file = '', test = '']) => ({ defect, file, test }));

/** Returns the titles of the tests in a file. */
const titlesIn = (file: string): string[] => {
  const source = new URL(`${file}.test.ts`, testFolder);
  const text = existsSync(source) ? readFileSync(source, 'utf8') : '';
  const titles = [...text.matchAll(/\bit\(\s*(['"`])([\s\S]*?)\1,/g)].map(([, , title = '']) => title);
  return titles.map((title) => title.replaceAll("\\'", "'"));
};

describe('Table of the defects of another product', () => {
  for (const { defect, file, test } of tableRows) {
    it(`a test in ${file}.test.ts rules out the defect "${defect}"`, () => {
      expect(titlesIn(file)).to.include(test);
    });
  }

  it('each test in the files that were written for the table has a row', () => {
    const titlesInTable = new Set(tableRows.map(({ test }) => test));
    const titles = OWN_FILES.map(titlesIn);
    for (const [index, file] of OWN_FILES.entries()) expect(titles[index], file).to.not.have.lengthOf(0);
    const missing = titles.flat().filter((title) => !titlesInTable.has(title));
    expect(missing).to.deep.equal([]);
  });
});
