/** Compares the ids in docs/failures.md and docs/attacks.md with those in the titles of tests. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

/** The ids that must each have a row and a test whose title begins with the id. */
const PROVED_IDS = [
  ...Array.from({ length: 25 }, (_, index) => `F${index + 1}`),
  ...Array.from({ length: 24 }, (_, index) => `A${index + 1}`),
];

/**
 * The rows of both pages by id: the test files that the row names, and the text of its "Last figure" column: what the
 * tests require, or what they found in their last recorded run.
 */
const rows = new Map(
  ['docs/failures.md', 'docs/attacks.md']
    .flatMap((page) => read(page).split('\n'))
    .filter((line) => /^\| [A-Z]\d+ \|/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
    .map((cells) => [cells[0] ?? '', { files: cells.at(-2)?.match(/test\/[^`]+/g) ?? [], figure: cells.at(-1) }]),
);

/** The ids at the beginning of test titles, by file. */
const idsByFile = new Map(
  globSync('test/**/*.ts', { cwd: root }).map((file) => [
    file,
    new Set([...read(file).matchAll(/\bit\(\s*['"`]([FA]\d+): /g)].map(([, id]) => id ?? '')),
  ]),
);

/** Whether a test with the id is in the file, or in the folder of the same name from which the file imports tests. */
const hasTestOf = (id: string, file: string): boolean =>
  [...idsByFile].some(
    ([each, ids]) => (each === file || each.startsWith(file.replace('.test.ts', '/'))) && ids.has(id),
  );

describe('Ids of failures and attacks', () => {
  for (const id of PROVED_IDS)
    it(`${id} has a row with a figure, and a test whose title begins with the id, in a file that the row names`, () => {
      const row = rows.get(id);
      expect(row?.figure).to.be.a('string').with.length.above(1);
      expect(row?.files.some((file) => hasTestOf(id, file))).to.equal(true);
    });

  it('every id at the beginning of a test title has a row', () => {
    const ids = new Set([...idsByFile.values()].flatMap((each) => [...each]));
    expect([...ids].filter((id) => !rows.has(id))).to.deep.equal([]);
  });

  it('every test file that a row names exists', () => {
    const files = [...rows.values()].flatMap((row) => row.files).filter((file) => /\.(test|faults)\.ts$/.test(file));
    expect(files.filter((file) => !idsByFile.has(file))).to.deep.equal([]);
  });
});
