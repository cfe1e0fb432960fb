/** What the rules look at: the files of the project, parsed once. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, visitorKeys } from 'oxc-parser';

const CODE = /^(api|workers|shared|scripts|test)\/.*\.(ts|mjs)$/;

// In a container the checkout may belong to somebody else.
const LIST = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];

const walkFolder = (root, folder = '') =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== '.git')
    .flatMap((entry) => {
      const file = posix.join(folder, entry.name);
      return entry.isDirectory() ? walkFolder(root, file) : [file];
    });

/** Files of a checkout, new ones included and ignored ones left out; of a plain folder, all. */
const filesOf = (root) => {
  if (!existsSync(join(root, '.git'))) return walkFolder(root);
  return execFileSync('git', LIST, { cwd: root })
    .toString()
    .split('\0')
    .filter((file) => file && existsSync(join(root, file)));
};

const parse = (file, text) => {
  const { program, comments, errors } = parseSync(file, text);
  const line = (offset) => text.slice(0, offset).split('\n').length;
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return { file, text, program, comments, errors, line, lines };
};

/** Reads and parses the project below `root`; file names in it are relative, with slashes. */
export const readProject = (root) => {
  const files = filesOf(root);
  const read = (file) => readFileSync(join(root, file));
  const sources = files.filter((file) => CODE.test(file)).map((file) => parse(file, read(file).toString()));
  return { root, files, read, sources: sources.toSorted((a, b) => (a.file < b.file ? -1 : 1)) };
};

/** Calls `visit(node, parent)` for every node below `node`, from the outside in. */
export const walk = (node, visit, parent) => {
  visit(node, parent);
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) if (child) walk(child, visit, node);
  }
};

/** Every node of a source that `wanted(node, parent)` accepts. */
export const nodesOf = (source, wanted) => {
  const found = [];
  walk(source.program, (node, parent) => wanted(node, parent) && found.push(node));
  return found;
};

/** What a rule reports: where, and what to do about it. */
export const finding = (source, offset, text) => ({ file: source.file, line: source.line(offset), text });
