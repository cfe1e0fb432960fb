/** Reads and parses the files of the project once, for all rules. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, visitorKeys } from 'oxc-parser';

const CODE_FILE = /^(api|client|workers|shared|scripts|test)\/.*(?<!\.d)\.(ts|mjs)$/;

// In a container, the checkout may belong to another user; without the option `-c`, git would refuse to read it.
const LIST_FILES_ARGUMENTS = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];

const listFolder = (root, folder = '') =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== '.git')
    .flatMap((entry) => {
      const file = posix.join(folder, entry.name);
      return entry.isDirectory() ? listFolder(root, file) : [file];
    });

/** Returns the files of a folder. In a checkout, untracked files are included and ignored files are not. */
const filesOf = (root) => {
  if (!existsSync(join(root, '.git'))) return listFolder(root);
  return execFileSync('git', LIST_FILES_ARGUMENTS, { cwd: root })
    .toString()
    .split('\0')
    .filter((file) => file && existsSync(join(root, file)));
};

/** Returns how many of the ascending numbers are less than `limit`. */
const countBelow = (numbers, limit) => {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
};

const parse = (file, text) => {
  const { program, comments, errors } = parseSync(file, text);
  const lineEnds = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const line = (offset) => 1 + countBelow(lineEnds, offset);
  const lines = lineEnds.length + (text.endsWith('\n') ? 0 : 1);
  return { file, text, program, comments, errors, line, lines };
};

/** Reads and parses the project in `root`. File names in the result are relative, with slashes. */
export const readProject = (root) => {
  const files = filesOf(root);
  const read = (file) => readFileSync(join(root, file));
  const sources = files.filter((file) => CODE_FILE.test(file)).map((file) => parse(file, read(file).toString()));
  return { root, files, read, sources: sources.toSorted((a, b) => (a.file < b.file ? -1 : 1)) };
};

/** Calls `visit(node, parent)` for a node and all of its descendants, parents first. */
export const walk = (node, visit, parent) => {
  visit(node, parent);
  for (const key of visitorKeys[node.type] ?? []) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const child of value) if (child) walk(child, visit, node);
    } else if (value) walk(value, visit, node);
  }
};

/** Returns the nodes of a source for which `matches(node, parent)` is true. */
export const nodesOf = (source, matches) => {
  const found = [];
  walk(source.program, (node, parent) => matches(node, parent) && found.push(node));
  return found;
};

/** Creates a finding: the position of a problem, and a message that describes the problem and its solution. */
export const finding = (source, offset, text) => ({ file: source.file, line: source.line(offset), text });
