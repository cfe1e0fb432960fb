/** Things only some files may touch: the environment, koa, bullmq, and collections past the tenant guard. */
import { finding, nodesOf } from './project.mjs';
import { importsOf } from './imports.mjs';

const PACKAGES = [
  {
    specifier: /^(@?koa\b|@bull-board\/)/,
    allowed: /^(api\/http\/|api\/(app|main)\.ts$)/,
    advice: 'only api/http imports koa; a handler returns plain values',
  },
  {
    specifier: /^bullmq($|\/)/,
    allowed: /^(shared\/queue\.ts|workers\/main\.ts)$/,
    advice: 'only shared/queue.ts and workers/main.ts import bullmq; use enqueue() or declare a job',
  },
];

const packages = (source) =>
  importsOf(source).flatMap(({ specifier, start }) =>
    PACKAGES.filter(({ specifier: reserved, allowed }) => reserved.test(specifier) && !allowed.test(source.file)).map(
      ({ advice }) => finding(source, start, `imports ${specifier}; ${advice}`),
    ),
  );

const named = (node, object, property) =>
  node.type === 'MemberExpression' && node.object.name === object && node.property.name === property;

const environment = (source) => {
  if (/^(shared\/config\.ts|scripts\/.*\.mjs)$/.test(source.file)) return [];
  const imported = (node) => node.type === 'ImportSpecifier' && node.imported.name === 'env';
  return nodesOf(source, (node) => named(node, 'process', 'env') || imported(node)).map(({ start }) =>
    finding(source, start, 'only shared/config.ts reads the environment; add a setting there'),
  );
};

const collections = (source) => {
  if (/^shared\/(mongo\.ts|read\.ts|write\.ts|vectors\/)/.test(source.file)) return [];
  const property = (node) => node.property.name ?? node.property.value;
  const raw = (node) => node.type === 'MemberExpression' && property(node) === 'collection';
  return nodesOf(source, (node) => raw(node) && node.object.type !== 'ThisExpression').map(({ property: { start } }) =>
    finding(source, start, '.collection goes past the tenant guard; use the model, or shared/read.ts and write.ts'),
  );
};

/** Findings for files outside the tests that touch what is reserved for others. */
export const reserved = ({ sources }) =>
  sources
    .filter(({ file }) => !file.startsWith('test/'))
    .flatMap((source) => [...packages(source), ...environment(source), ...collections(source)]);
