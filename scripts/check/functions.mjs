/** The functions of a source with what the size rules ask of them. */
import { walk } from './project.mjs';

const SUITE = new Set(['describe', 'it', 'before', 'after', 'beforeEach', 'afterEach']);

const calleeName = ({ callee }) => callee.name ?? callee.object?.name;

const partOfSuite = (parent) => parent?.type === 'CallExpression' && SUITE.has(calleeName(parent));

/** A list of tests that several suites share. */
const listsTests = ({ body }) =>
  body.type === 'BlockStatement' && body.body.some(({ expression }) => partOfSuite(expression));

const nameOf = (node, parent) => node.id?.name ?? parent?.id?.name ?? parent?.key?.name ?? 'a function';

const described = (source, node, parent) => ({
  source,
  start: node.start,
  name: nameOf(node, parent),
  lines: source.line(node.end) - source.line(node.start) + 1,
  parameters: node.params.filter(({ name, type }) => name !== 'this' && type !== 'RestElement').length,
  block: node.body.type === 'BlockStatement',
  suite: partOfSuite(parent) || listsTests(node),
  callback: parent?.type === 'CallExpression' || parent?.type === 'NewExpression',
});

/** Every function with a body; `callback` ones have parameters that somebody else chose. */
export const functionsOf = (source) => {
  const found = [];
  walk(source.program, (node, parent) => {
    if (!/^(Arrow)?Function/.test(node.type) || !node.body) return;
    // A method's name hangs on the node around its function.
    found.push(described(source, node, parent));
  });
  return found;
};
