/** Checks that no file contains the host name of a package registry or a machine-specific absolute path. */
import { isUtf8 } from 'node:buffer';
import { homedir } from 'node:os';

const REGISTRY_HOST =
  /\b(registry\.(npmjs|yarnpkg)\.|(www\.)?npmjs\.(org|com)\b|(test\.)?pypi\.org|pythonhosted\.org|pypi\.python\.org)/;
const MACHINE_PATH = /(?<![\w.:/~$}-])\/(home|root|Users|work|tmp)\/[\w.-]+|\b[A-Z]:\\Users\\/;

const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const forbiddenPatterns = (root) => {
  const folders = [root, homedir()].filter((path) => path.split('/').length > 2).map(escapeRegExp);
  const ownPath = new RegExp(`(?<!\\w)(${folders.join('|') || '(?!)'})(?![\\w.-])`);
  const pathAdvice = 'machine-specific absolute path; make it relative, or use os.tmpdir()';
  return [
    {
      pattern: REGISTRY_HOST,
      advice: 'name of a registry host; remove it, because npm, pip or apt is configured with the registry to use',
    },
    { pattern: MACHINE_PATH, advice: pathAdvice },
    { pattern: ownPath, advice: pathAdvice },
  ];
};

const findInFile = (file, text, patterns) =>
  text.split('\n').flatMap((line, index) => {
    const hit = patterns.find(({ pattern }) => pattern.test(line));
    return hit ? [{ file, line: index + 1, text: hit.advice }] : [];
  });

/** Returns the findings in all text files of the project. */
export const checkMachinePaths = ({ root, files, read }) => {
  const patterns = forbiddenPatterns(root);
  return files.flatMap((file) => {
    const bytes = read(file);
    return isUtf8(bytes) && !bytes.includes(0) ? findInFile(file, bytes.toString(), patterns) : [];
  });
};
