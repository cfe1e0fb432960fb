/** Checks that a handler has at most ten lines and receives plain values and the actor, not `ctx`. */
import { finding, nodesOf, walk } from './project.mjs';

const MAX_HANDLER_LINES = 10;

const isFunction = (node) => /Function/.test(node?.type);

/** Returns the inline handler of an endpoint, or the function in the same file that the endpoint refers to. */
const handlerOf = (source, { value }) => {
  if (value.type !== 'Identifier') return value;
  const isDeclaration = (node) => node.id?.name === value.name && (isFunction(node) || isFunction(node.init));
  const [declaration] = nodesOf(source, isDeclaration);
  return declaration?.init ?? declaration;
};

const endpointsOf = (source) =>
  nodesOf(source, (node) => node.type === 'ObjectExpression')
    .map(({ properties }) => Object.fromEntries(properties.map((property) => [property.key?.name, property])))
    .filter(({ handle, path }) => handle && path);

const contextsIn = (handler) => {
  const found = [];
  walk(handler, (node, parent) => {
    const isProperty = parent?.type === 'MemberExpression' && parent.property === node && !parent.computed;
    if (node.type === 'Identifier' && node.name === 'ctx' && !isProperty) found.push(node);
  });
  return found.slice(0, 1);
};

const checkHandler = (source, property) => {
  const handler = handlerOf(source, property);
  if (!isFunction(handler)) return [];
  const lines = source.line(handler.end) - source.line(handler.start) + 1;
  const lengthAdvice = `handler has ${lines} lines (at most ${MAX_HANDLER_LINES} are allowed); extract a function`;
  const contextAdvice = 'a handler must not use ctx; pass it plain values';
  return [
    ...(lines > MAX_HANDLER_LINES ? [finding(source, handler.start, lengthAdvice)] : []),
    ...contextsIn(handler).map(({ start }) => finding(source, start, contextAdvice)),
  ];
};

/** Returns findings for handlers that are too long or use `ctx`. */
export const checkHandlers = ({ sources }) =>
  sources
    .filter(({ file }) => file.startsWith('api/'))
    .flatMap((source) => endpointsOf(source).flatMap(({ handle }) => checkHandler(source, handle)));
