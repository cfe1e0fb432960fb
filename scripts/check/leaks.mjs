/** No file names a package registry or a path of somebody's machine. */
import { isUtf8 } from 'node:buffer';
import { homedir } from 'node:os';

const REGISTRY =
  /\b(registry\.(npmjs|yarnpkg)\.|(www\.)?npmjs\.(org|com)\b|(test\.)?pypi\.org|pythonhosted\.org|pypi\.python\.org)/;
const MACHINE_PATH = /(?<![\w.:/~$}-])\/(home|root|Users|work|tmp)\/[\w.-]+|\b[A-Z]:\\Users\\/;

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const patternsOf = (root) => {
  const own = [root, homedir()].filter((path) => path.split('/').length > 2).map(escaped);
  const here = new RegExp(`(?<!\\w)(${own.join('|') || '(?!)'})(?![\\w.-])`);
  const pathAdvice = 'absolute path of a machine; make it relative, or use os.tmpdir()';
  return [
    { pattern: REGISTRY, advice: 'name of a registry host; leave it to the configured client' },
    { pattern: MACHINE_PATH, advice: pathAdvice },
    { pattern: here, advice: pathAdvice },
  ];
};

const leaksIn = (file, text, patterns) =>
  text.split('\n').flatMap((line, index) => {
    const hit = patterns.find(({ pattern }) => pattern.test(line));
    return hit ? [{ file, line: index + 1, text: hit.advice }] : [];
  });

/** Findings for every text file of the project, whatever its kind. */
export const leaks = ({ root, files, read }) => {
  const patterns = patternsOf(root);
  return files.flatMap((file) => {
    const bytes = read(file);
    return isUtf8(bytes) && !bytes.includes(0) ? leaksIn(file, bytes.toString(), patterns) : [];
  });
};
