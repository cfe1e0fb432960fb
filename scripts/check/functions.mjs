/** Collects the functions of a source with their sizes. */
import { walk } from './project.mjs';

const SUITE_FUNCTIONS = new Set(['describe', 'it', 'before', 'after', 'beforeEach', 'afterEach']);

const calleeName = ({ callee }) => callee.name ?? callee.object?.name;

const isPartOfSuite = (parent) => parent?.type === 'CallExpression' && SUITE_FUNCTIONS.has(calleeName(parent));

/** Whether a function contains tests that several suites share. */
const hasTests = ({ body }) =>
  body.type === 'BlockStatement' && body.body.some(({ expression }) => isPartOfSuite(expression));

const nameOf = (node, parent) => node.id?.name ?? parent?.id?.name ?? parent?.key?.name ?? 'a function';

const describeFunction = (source, node, parent) => ({
  source,
  start: node.start,
  name: nameOf(node, parent),
  lines: source.line(node.end) - source.line(node.start) + 1,
  parameters: node.params.filter(({ name, type }) => name !== 'this' && type !== 'RestElement').length,
  hasBlock: node.body.type === 'BlockStatement',
  isSuite: isPartOfSuite(parent) || hasTests(node),
  isCallback: parent?.type === 'CallExpression' || parent?.type === 'NewExpression',
});

const findFunctions = (source) => {
  const found = [];
  walk(source.program, (node, parent) => {
    if (!/^(Arrow)?Function/.test(node.type) || !node.body) return;
    // The name of a method is in the parent node.
    found.push(describeFunction(source, node, parent));
  });
  return found;
};

/** Returns the functions of a source that have a body. Searches each source only once. */
export const functionsOf = (source) => {
  source.functions ??= findFunctions(source);
  return source.functions;
};
