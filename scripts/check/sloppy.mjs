/** No way round the type checker, and no error swallowed without saying why. */
import { finding, nodesOf } from './project.mjs';

const anys = (source) =>
  nodesOf(source, ({ type }) => type === 'TSAnyKeyword').map(({ start }) =>
    finding(source, start, '`any` turns the checker off; name the type, or take `unknown` and narrow it'),
  );

const silencers = (source) =>
  source.comments
    .filter(({ value }) => /^[\s*]*@ts-(ignore|nocheck)/.test(value))
    .map(({ start }) => finding(source, start, 'mend the type instead of silencing the checker'));

/** A comment in the block, or behind it on its last line, says why. */
const explained = (source, { start, end }) =>
  source.comments.some((each) => each.start > start && source.line(each.start) <= source.line(end));

const emptyBlock = (node) => node?.type === 'BlockStatement' && node.body.length === 0;

const swallower = (node) => {
  if (node.type === 'CatchClause') return emptyBlock(node.body) && node.body;
  if (node.type !== 'CallExpression' || node.callee.property?.name !== 'catch') return false;
  return emptyBlock(node.arguments[0]?.body) && node.arguments[0].body;
};

const swallowed = (source) =>
  nodesOf(source, (node) => swallower(node) && !explained(source, swallower(node))).map((node) =>
    finding(source, swallower(node).start, 'empty catch; decide what the error means, or say inside why nothing'),
  );

/** Findings for `any`, silenced type errors and empty catches. */
export const sloppy = ({ sources }) =>
  sources.flatMap((source) => [...anys(source), ...silencers(source), ...swallowed(source)]);
