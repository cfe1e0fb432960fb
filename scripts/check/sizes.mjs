/** Checks the sizes of files, functions, parameter lists and comment lines. Data tables may have any length. */
import { functionsOf } from './functions.mjs';
import { finding, walk } from './project.mjs';

/** A median must be below its limit; a single file or function may reach its limit. */
const FILE_LINES = { median: 60, max: 250 };
const FUNCTION_LINES = { median: 12, max: 60 };
const MAX_PARAMETERS = 3;
const MAX_COMMENT_LINE = 120;

const isTest = ({ file }) => file.startsWith('test/');

const hasFunction = (node) => {
  let found = false;
  walk(node, ({ type }) => (found ||= /Function/.test(type)));
  return found;
};

/** Whether a file is a data table: one exported literal, apart from types and imports. */
const isTable = ({ program }) => {
  const statements = program.body.filter(({ type }) => !/^(Import|TS)/.test(type));
  const [only] = statements;
  return statements.length === 1 && /^Export(Named|Default)/.test(only.type) && !hasFunction(only);
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const measure = ({ sources }) => {
  const files = sources.filter((source) => !isTable(source));
  const functions = files.flatMap(functionsOf);
  // Arrow functions without a block do not count towards the median, because most of them have only one line.
  const counted = functions.filter(({ source, hasBlock }) => hasBlock && !isTest(source));
  return {
    files,
    functions,
    fileMedian: median(files.filter((source) => !isTest(source)).map(({ lines }) => lines)),
    functionMedian: median(counted.map(({ lines }) => lines)),
  };
};

const findLongFiles = ({ files }) =>
  files
    .filter(({ lines }) => lines > FILE_LINES.max)
    .map((source) => ({
      file: source.file,
      line: 1,
      text: `${source.lines} lines, at most ${FILE_LINES.max}; split it`,
    }));

// The number of parameters is not limited for callbacks: the function that calls them determines it.
const functionAdvice = ({ name, lines, parameters, isSuite, isCallback }) => {
  if (lines > FUNCTION_LINES.max && !isSuite) return `${name}: ${lines} lines, at most ${FUNCTION_LINES.max}; split it`;
  if (parameters > MAX_PARAMETERS && !isCallback) {
    return `${name}: ${parameters} parameters, at most ${MAX_PARAMETERS}; take an object`;
  }
};

const findBadFunctions = ({ functions }) =>
  functions.flatMap((each) => {
    const text = functionAdvice(each);
    return text ? [finding(each.source, each.start, text)] : [];
  });

const findLongComments = ({ sources }) =>
  sources.flatMap((source) => {
    const textLines = source.text.split('\n');
    const numbers = source.comments.flatMap(({ start, end }) => {
      const [first, last] = [source.line(start), source.line(end)];
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
    return numbers
      .filter((line) => textLines[line - 1].length > MAX_COMMENT_LINE)
      .map((line) => ({
        file: source.file,
        line,
        text: `comment line longer than ${MAX_COMMENT_LINE} characters; wrap it`,
      }));
  });

const findMedians = ({ fileMedian, functionMedian }) => {
  const projectFinding = (text) => ({ file: '.', line: 0, text });
  return [
    ...(fileMedian >= FILE_LINES.median
      ? [projectFinding(`the median file has ${fileMedian} lines; it must have fewer than ${FILE_LINES.median}`)]
      : []),
    ...(functionMedian >= FUNCTION_LINES.median
      ? [
          projectFinding(
            `the median function has ${functionMedian} lines; it must have fewer than ${FUNCTION_LINES.median}`,
          ),
        ]
      : []),
  ];
};

/** Returns findings for files, functions, parameter lists and comment lines that are too long. */
export const checkSizes = (project) => {
  const measured = measure(project);
  return [
    ...findLongFiles(measured),
    ...findBadFunctions(measured),
    ...findLongComments(project),
    ...findMedians(measured),
  ];
};

/** Returns a one-line summary of the sizes. */
export const summarizeSizes = (project) => {
  const { files, functions, fileMedian, functionMedian } = measure(project);
  const maxLines = (items) => Math.max(0, ...items.map(({ lines }) => lines));
  const checked = functions.filter(({ isSuite }) => !isSuite);
  return (
    `files: median ${fileMedian}, maximum ${maxLines(files)}; ` +
    `functions: median ${functionMedian}, maximum ${maxLines(checked)} lines`
  );
};
