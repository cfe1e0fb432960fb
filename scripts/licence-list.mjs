/**
 * Generates the list of third-party licences from package-lock.json. `--check` changes nothing and exits with 1 if the
 * list is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const LIST = new URL('../docs/third-party-licences.md', import.meta.url);
const NOT_STATED = 'Not stated in the lock file';
const INTRODUCTION = `# Third-party licences

The packages that a production installation contains, by licence. \`npm run check -- --fix\` generates this list from
\`package-lock.json\`. Binaries for all platforms are listed, although npm installs only those for the current platform.
Packages under "${NOT_STATED}" are binaries; the licence of the package that depends on them applies.`;

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));

const production = Object.entries(packages)
  .filter(([path, { dev, devOptional }]) => path && !dev && !devOptional)
  .map(([path, { version, license = NOT_STATED }]) => ({
    name: `${path.replace(/^.*node_modules\//, '')} ${version}`,
    licence: license,
  }));

const section = ([licence, entries]) => {
  const names = [...new Set(entries.map(({ name }) => name))].toSorted((a, b) => a.localeCompare(b));
  return `## ${licence}\n\n${names.map((name) => `- ${name}`).join('\n')}`;
};

const sections = Object.entries(Object.groupBy(production, ({ licence }) => licence))
  .toSorted(([a], [b]) => a.localeCompare(b))
  .map(section);
const updated = `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
const present = existsSync(LIST) ? readFileSync(LIST, 'utf8') : '';
if (updated !== present && process.argv.includes('--check')) {
  console.error('docs/third-party-licences.md is out of date: run npm run check -- --fix');
  process.exitCode = 1;
} else if (updated !== present) writeFileSync(LIST, updated);
