/** A handler is at most ten lines and sees plain values and the actor, never `ctx`. */
import { finding, nodesOf, walk } from './project.mjs';

const MOST = 10;

const isFunction = (node) => /Function/.test(node?.type);

/** A handler written in place, or the function of this file that it names. */
const handlerOf = (source, { value }) => {
  if (value.type !== 'Identifier') return value;
  const named = (node) => node.id?.name === value.name && (isFunction(node) || isFunction(node.init));
  const [declared] = nodesOf(source, named);
  return declared?.init ?? declared;
};

const endpointsOf = (source) =>
  nodesOf(source, (node) => node.type === 'ObjectExpression')
    .map(({ properties }) => Object.fromEntries(properties.map((property) => [property.key?.name, property])))
    .filter(({ handle, path }) => handle && path);

const contextsIn = (handler) => {
  const found = [];
  walk(handler, (node, parent) => {
    const member = parent?.type === 'MemberExpression' && parent.property === node && !parent.computed;
    if (node.type === 'Identifier' && node.name === 'ctx' && !member) found.push(node);
  });
  return found.slice(0, 1);
};

const check = (source, property) => {
  const handler = handlerOf(source, property);
  if (!isFunction(handler)) return [];
  const lines = source.line(handler.end) - source.line(handler.start) + 1;
  const long = `handler of ${lines} lines, at most ${MOST}; a verb, a filter or a step hides in it`;
  const context = 'a handler never sees ctx; give it plain values';
  return [
    ...(lines > MOST ? [finding(source, handler.start, long)] : []),
    ...contextsIn(handler).map(({ start }) => finding(source, start, context)),
  ];
};

/** Findings for handlers that are long or that see `ctx`. */
export const handlers = ({ sources }) =>
  sources
    .filter(({ file }) => file.startsWith('api/'))
    .flatMap((source) => endpointsOf(source).flatMap(({ handle }) => check(source, handle)));
