/** The table of what the peer does wrong against the tests that there are. */
import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const here = new URL('./', import.meta.url);
const OWN = /^weaknesses-/;

const rows = readFileSync(new URL('../data/weaknesses.md', here), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| weakness'))
  .map((line) => line.slice(2, -2).split(' | '))
  .map(([weakness = '', , file = '', test = '']) => ({ weakness, file, test }));

/** Titles as they are written, without the place in the contract. */
const titlesIn = (file: string): string[] => {
  const source = new URL(`${file}.test.ts`, here);
  const text = existsSync(source) ? readFileSync(source, 'utf8') : '';
  const titles = [...text.matchAll(/\bit\(\s*(['"`])([\s\S]*?)\1,/g)].map(([, , title = '']) => title);
  return titles.map((title) => title.replaceAll("\\'", "'").replace(/ \([ab] [^)]*\)$/, ''));
};

describe('Every weakness of the peer', () => {
  for (const { weakness, file, test } of rows) {
    it(`has its test: ${weakness}`, () => {
      expect(titlesIn(file)).to.include(test);
    });
  }

  it('is in the table where a test is about one', () => {
    const files = readdirSync(here)
      .filter((name) => OWN.test(name))
      .map((name) => name.replace('.test.ts', ''));
    const named = new Set(rows.map(({ test }) => test));
    const missing = files.flatMap(titlesIn).filter((title) => !named.has(title));
    expect(files).to.have.lengthOf(3);
    expect(missing).to.deep.equal([]);
  });
});
