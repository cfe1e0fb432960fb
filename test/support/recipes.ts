/** The README's recipes, applied to a copy of the code as a stranger would type them. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The README's text. */
export const readme = readFileSync(join(root, 'README.md'), 'utf8');

interface Block {
  language: string;
  text: string;
}

/** What stands between its fences. */
export const blocks: Block[] = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}));

/** New files of the recipes by their name, which stands in the block's first line. */
const newFiles = blocks
  .filter(({ language }) => language === 'ts')
  .map(({ text }) => {
    const [, name = '', code = ''] = /^\/\/ (\S+)\n(.*)$/s.exec(text) ?? [];
    return { name, code };
  });

/** Changes of existing files, in the order of the README. */
export const changes = blocks
  .filter(({ language }) => language === 'diff')
  .map(({ text }) => {
    const [, name = '', lines = ''] = /^@@ (\S+) @@\n(.*)$/s.exec(text) ?? [];
    return { name, lines: lines.trimEnd().split('\n') };
  });

const find = (source: string[], line: string, from: number): number => {
  const place = source.indexOf(line, from);
  if (place < 0) throw new Error(`No line "${line}" to change`);
  return place;
};

/** Lines with a space are there, with a minus go, with a plus come after the line before them. */
const changed = (source: string[], lines: string[]): string[] => {
  const first = lines.find((line) => !line.startsWith('+')) ?? '';
  let result = [...source];
  let at = find(result, first.slice(1), 0);
  for (const line of lines) {
    const text = line.slice(1);
    if (!line.startsWith('+')) at = find(result, text, Math.max(0, at - 1));
    result = result.toSpliced(at, line.startsWith('-') ? 1 : 0, ...(line.startsWith('+') ? [text] : []));
    if (!line.startsWith('-')) at += 1;
  }
  return result;
};

/** A copy of the code with everything the recipes say, as a stranger would type it. */
export const aCopy = async (): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'readme-'));
  const parts = [
    'api',
    'shared',
    'workers',
    'scripts/config-table.ts',
    'test/setup.ts',
    'test/support',
    'test/api/endpoints.test.ts',
  ];
  for (const part of [...parts, 'README.md', 'package.json', 'tsconfig.json', 'biome.json', '.mocharc.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { name, code } of newFiles) {
    mkdirSync(join(copy, dirname(name)), { recursive: true });
    writeFileSync(join(copy, name), code);
  }
  for (const { name, lines } of changes) {
    const source = readFileSync(join(copy, name), 'utf8').split('\n');
    writeFileSync(join(copy, name), changed(source, lines).join('\n'));
  }
  return copy;
};

/** Every file that the recipes make or change. */
export const touched = [...new Set([...newFiles, ...changes].map(({ name }) => name))];

/** Those they make that are no tests. */
export const production = newFiles.map(({ name }) => name).filter((name) => !name.startsWith('test/'));
