/** Applies the recipes of the README to a copy of the code. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The text of the README. */
export const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');

interface Block {
  language: string;
  text: string;
}

/** The fenced code blocks of the README. */
export const readmeBlocks: Block[] = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({
    language,
    text,
  }),
);

/** The files that recipes create; the first line of each code block is a comment with the name of the file. */
const newFiles = readmeBlocks
  .filter(({ language }) => language === 'ts')
  .map(({ text }) => {
    const [, name = '', code = ''] = /^\/\/ (\S+)\n(.*)$/s.exec(text) ?? [];
    return { name, code };
  });

/** The changes to existing files, in the order of the README. */
export const fileChanges = readmeBlocks
  .filter(({ language }) => language === 'diff')
  .map(({ text }) => {
    const [, name = '', lines = ''] = /^@@ (\S+) @@\n(.*)$/s.exec(text) ?? [];
    return { name, lines: lines.trimEnd().split('\n') };
  });

const findLine = (source: string[], line: string, from: number): number => {
  const index = source.indexOf(line, from);
  if (index < 0) throw new Error(`A recipe in the README names a line that its file does not contain: "${line}"`);
  return index;
};

/**
 * Applies a diff: lines that begin with a space must exist, those with a minus are removed, and those with a plus are
 * inserted after the previous line of the diff. Throws if a line to keep or remove does not exist.
 */
const applyDiff = (source: string[], lines: string[]): string[] => {
  const first = lines.find((line) => !line.startsWith('+')) ?? '';
  let result = [...source];
  let index = findLine(result, first.slice(1), 0);
  for (const line of lines) {
    const text = line.slice(1);
    if (!line.startsWith('+')) index = findLine(result, text, Math.max(0, index - 1));
    result = result.toSpliced(index, line.startsWith('-') ? 1 : 0, ...(line.startsWith('+') ? [text] : []));
    if (!line.startsWith('-')) index += 1;
  }
  return result;
};

/** Copies the code to a temporary folder, applies the recipes, and returns the folder. */
export const copyWithRecipes = async (): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'readme-'));
  const parts = ['api', 'shared', 'workers', 'scripts', 'test/setup.ts', 'test/support', 'test/api/endpoints.test.ts'];
  for (const part of [...parts, 'README.md', 'package.json', 'tsconfig.json', 'biome.json', '.mocharc.json'])
    cpSync(join(repositoryRoot, part), join(copy, part), { recursive: true });
  symlinkSync(join(repositoryRoot, 'node_modules'), join(copy, 'node_modules'));
  for (const { name, code } of newFiles) {
    mkdirSync(join(copy, dirname(name)), { recursive: true });
    writeFileSync(join(copy, name), code);
  }
  for (const { name, lines } of fileChanges) {
    const source = readFileSync(join(copy, name), 'utf8').split('\n');
    writeFileSync(join(copy, name), applyDiff(source, lines).join('\n'));
  }
  return copy;
};

/** Every file that the recipes create or change. */
export const touchedFiles = [...new Set([...newFiles, ...fileChanges].map(({ name }) => name))];

/** The files that the recipes create, except tests. */
export const productionFiles = newFiles.map(({ name }) => name).filter((name) => !name.startsWith('test/'));
