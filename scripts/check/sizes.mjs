/** Small files, small functions, few positional parameters. Tables of data may be as long as they need. */
import { functionsOf } from './functions.mjs';
import { finding, walk } from './project.mjs';

const FILE = { median: 60, most: 250 };
const FUNCTION = { median: 12, most: 60 };
const PARAMETERS = 3;

const isTest = ({ file }) => file.startsWith('test/');

const hasFunction = (node) => {
  let found = false;
  walk(node, ({ type }) => (found ||= /Function/.test(type)));
  return found;
};

/** A file that is one exported literal, types and imports beside it. */
const isTable = ({ program }) => {
  const statements = program.body.filter(({ type }) => !/^(Import|TS)/.test(type));
  const [only] = statements;
  return statements.length === 1 && /^Export(Named|Default)/.test(only.type) && !hasFunction(only);
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const measure = ({ sources }) => {
  const files = sources.filter((source) => !isTable(source));
  const functions = files.flatMap(functionsOf);
  // One-line arrows would make the median look better than the code is.
  const counted = functions.filter(({ source, block }) => block && !isTest(source));
  return {
    files,
    functions,
    fileMedian: median(files.filter((source) => !isTest(source)).map(({ lines }) => lines)),
    functionMedian: median(counted.map(({ lines }) => lines)),
  };
};

const longFiles = ({ files }) =>
  files
    .filter(({ lines }) => lines > FILE.most)
    .map((source) => ({ file: source.file, line: 1, text: `${source.lines} lines, at most ${FILE.most}; split it` }));

const functionText = ({ name, lines, parameters, suite, callback }) => {
  if (lines > FUNCTION.most && !suite) return `${name}: ${lines} lines, at most ${FUNCTION.most}; split it`;
  if (parameters > PARAMETERS && !callback) {
    return `${name}: ${parameters} parameters, at most ${PARAMETERS}; take an object`;
  }
};

const badFunctions = ({ functions }) =>
  functions.flatMap((each) => {
    const text = functionText(each);
    return text ? [finding(each.source, each.start, text)] : [];
  });

const medians = ({ fileMedian, functionMedian }) => {
  const whole = (text) => ({ file: '.', line: 0, text });
  return [
    ...(fileMedian >= FILE.median ? [whole(`median file of ${fileMedian} lines, under ${FILE.median}`)] : []),
    ...(functionMedian >= FUNCTION.median
      ? [whole(`median function of ${functionMedian} lines, under ${FUNCTION.median}`)]
      : []),
  ];
};

/** Findings for files, functions and parameter lists that are too long. */
export const sizes = (project) => {
  const measured = measure(project);
  return [...longFiles(measured), ...badFunctions(measured), ...medians(measured)];
};

/** The sizes in one line. */
export const sizeSummary = (project) => {
  const { files, functions, fileMedian, functionMedian } = measure(project);
  const most = (items) => Math.max(0, ...items.map(({ lines }) => lines));
  const own = functions.filter(({ suite }) => !suite);
  return `files: median ${fileMedian}, most ${most(files)}; functions: median ${functionMedian}, most ${most(own)} lines`;
};
