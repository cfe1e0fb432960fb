/** Compares the table of client calls, test/data/client-calls.md, with the tests that make these calls. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const testFolder = new URL('./', import.meta.url);
const CLIENT_CALL_FILES = /^client-calls-.*\.test\.ts$/;
const COLUMN_COUNT = 7;

/**
 * The ids of the known differences between the API and its clients; each must have a row in the table. They are not the
 * ids D1, D2 … of docs/degradation.md.
 */
const DIFFERENCE_IDS = [
  ...[
    'D1',
    'D2',
    'D3',
    'D4',
    'D5',
    'D6',
    'D7',
    'D9',
    'D10',
    'D12',
    'D13',
    'D14',
    'D15',
    'D16',
    'D17',
    'D18',
    'D19',
    'D20',
  ],
  ...['D22', 'D25', 'D26', 'D27', 'D28'],
];

const tableRows = readFileSync(new URL('../data/client-calls.md', testFolder), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| row |'))
  .map((line) => line.slice(2, -2).split(' | '));

const titlesIn = (file: string): string[] =>
  [...readFileSync(new URL(file, testFolder), 'utf8').matchAll(/\bit\(\s*(['"`])([\s\S]*?)\1,/g)].map(
    ([, , title = '']) => `${file.replace('.test.ts', '')}: ${title}`,
  );

const writtenTitles = readdirSync(testFolder)
  .filter((name) => CLIENT_CALL_FILES.test(name))
  .flatMap(titlesIn);

describe('Table of client calls', () => {
  it('the table of client calls has a row for every test, and a test for every row', () => {
    const listed = tableRows.map((cells) => `${cells[5]}: ${cells[6]}`);
    expect(new Set(listed)).to.deep.equal(new Set(writtenTitles));
    expect(
      tableRows.filter((cells) => cells.length !== COLUMN_COUNT || cells.some((cell) => !cell.trim())),
    ).to.deep.equal([]);
  });

  it('the table of client calls has a row for every known difference between the API and its clients', () => {
    const rowIds = new Set(tableRows.map(([id = '']) => id));
    expect(DIFFERENCE_IDS.filter((id) => !rowIds.has(id))).to.deep.equal([]);
  });
});
