/** Compares the table of threats (docs/threats.md) with the tests that exist. */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const repositoryRoot = new URL('../../', import.meta.url);

/** The ids of all findings of the security review. The letter is the severity: critical, high, medium or low. */
const FINDINGS = [
  ...['C1', 'C2', 'H1', 'H2', 'H3', 'H4', 'H5'],
  ...Array.from({ length: 11 }, (_, index) => `M${index + 1}`),
  ...Array.from({ length: 12 }, (_, index) => `L${index + 1}`),
];

const threatRows = readFileSync(new URL('docs/threats.md', repositoryRoot), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| id'))
  .map((line) => line.slice(2, -2).split(' | '))
  .map(([id = '', , , file = '', title = '']) => ({ id, file: file.replaceAll('`', ''), title }));

/** The tests that docs/threats-proof.md names, as `file: title`. */
const provedTests = [
  ...readFileSync(new URL('docs/threats-proof.md', repositoryRoot), 'utf8').matchAll(
    /^\| \w+ \| `([^`]+)`: (.+?) \| /gm,
  ),
].map(([, file, title]) => `${file}: ${title}`);

const escapePattern = (text: string): string =>
  text.replaceAll(/\\(.)/g, '$1').replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The titles of a file's tests as patterns, in which each placeholder of a template literal matches any text. */
const titlesOf = (file: string): RegExp[] => {
  const source = new URL(file, repositoryRoot);
  const text = existsSync(source) ? readFileSync(source, 'utf8') : '';
  const calls = text.matchAll(/\bit\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g);
  return [...calls].map(
    ([, , title = '']) =>
      new RegExp(
        `^${title
          .split(/\$\{[^}]*\}/)
          .map(escapePattern)
          .join('.+')}$`,
      ),
  );
};

describe('docs/threats.md', () => {
  for (const { id, file, title } of threatRows) {
    it(`docs/threats.md names an existing test for ${id}: ${title}`, () => {
      expect(
        titlesOf(file).some((pattern) => pattern.test(title)),
        file,
      ).to.equal(true);
    });
  }

  it('docs/threats-proof.md names only tests that docs/threats.md names, with their current titles', () => {
    const tests = threatRows.map(({ file, title }) => `${file}: ${title}`);
    expect(provedTests.length).to.be.at.least(100);
    expect(provedTests.filter((each) => !tests.includes(each))).to.deep.equal([]);
  });

  it('docs/threats.md has a row for every finding of the security review', () => {
    expect(FINDINGS.filter((finding) => !threatRows.some(({ id }) => id === finding))).to.deep.equal([]);
  });
});
