/** Checks that the type checker is not bypassed, and that no error is ignored without a reason. */
import { finding, nodesOf } from './project.mjs';

const findAny = (source) =>
  nodesOf(source, ({ type }) => type === 'TSAnyKeyword').map(({ start }) =>
    finding(source, start, '`any` disables type checking; name the type, or use `unknown` and narrow it'),
  );

const findSilencers = (source) =>
  source.comments
    .filter(({ value }) => /^[\s*]*@ts-(ignore|nocheck)/.test(value))
    .map(({ start }) => finding(source, start, 'fix the type instead of silencing the checker'));

/** Whether a block contains a comment, or a comment follows it on its last line. */
const isExplained = (source, { start, end }) =>
  source.comments.some((each) => each.start > start && source.line(each.start) <= source.line(end));

const isEmptyBlock = (node) => node?.type === 'BlockStatement' && node.body.length === 0;

const emptyCatchBody = (node) => {
  if (node.type === 'CatchClause') return isEmptyBlock(node.body) && node.body;
  if (node.type !== 'CallExpression' || node.callee.property?.name !== 'catch') return false;
  return isEmptyBlock(node.arguments[0]?.body) && node.arguments[0].body;
};

const findEmptyCatches = (source) =>
  nodesOf(source, (node) => emptyCatchBody(node) && !isExplained(source, emptyCatchBody(node))).map((node) =>
    finding(
      source,
      emptyCatchBody(node).start,
      'empty catch; handle the error, or explain in a comment why it can be ignored',
    ),
  );

/** Returns findings for `any`, silenced type errors and empty catch blocks. */
export const checkUnsafeCode = ({ sources }) =>
  sources.flatMap((source) => [...findAny(source), ...findSilencers(source), ...findEmptyCatches(source)]);
