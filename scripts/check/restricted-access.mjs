/**
 * Checks that only certain files access the environment, the clock of the host, koa, bullmq, or collections without the
 * tenant guard, the plugin that refuses queries without an `id_project`.
 */
import { importsOf } from './imports.mjs';
import { finding, nodesOf } from './project.mjs';

const RESTRICTED_PACKAGES = [
  {
    specifier: /^(@?koa\b|@bull-board\/)/,
    allowed: /^(api\/http\/|api\/(app|main)\.ts$)/,
    advice: 'only api/http, api/app.ts and api/main.ts import koa; a handler returns plain values',
  },
  {
    specifier: /^bullmq($|\/)/,
    allowed: /^(shared\/queue\/queue|workers\/(queue-worker|idle-aware-backend))\.ts$/,
    advice:
      'only shared/queue/queue.ts, workers/queue-worker.ts and workers/idle-aware-backend.ts import bullmq; use enqueue() or declare a job',
  },
];

const findPackages = (source) =>
  importsOf(source).flatMap(({ specifier, start }) =>
    RESTRICTED_PACKAGES.filter(
      ({ specifier: pattern, allowed }) => pattern.test(specifier) && !allowed.test(source.file),
    ).map(({ advice }) => finding(source, start, `imports ${specifier}; ${advice}`)),
  );

const isMember = (node, object, property) =>
  node.type === 'MemberExpression' && node.object.name === object && node.property.name === property;

const findEnvironment = (source) => {
  if (/^(shared\/config\.ts|scripts\/.*\.mjs)$/.test(source.file)) return [];
  const isEnvImport = (node) => node.type === 'ImportSpecifier' && node.imported.name === 'env';
  return nodesOf(source, (node) => isMember(node, 'process', 'env') || isEnvImport(node)).map(({ start }) =>
    finding(source, start, 'only shared/config.ts reads the environment; add a setting there'),
  );
};

/**
 * The files that may use the clock of the host. They need it before MongoDB's clock is first read, for the times of
 * files, for BullMQ delays, or to compare the two clocks.
 */
const HOST_CLOCK_FILES = [
  'shared/time/clock.ts',
  'shared/storage/incoming.ts',
  'shared/vectors/lance-maintenance.ts',
  'shared/queue/distant-jobs.ts',
  'shared/queue/periodic-jobs.ts',
  'shared/domain/operations/heartbeats.ts',
];

const findHostClock = (source) => {
  if (!/^(api|workers|shared)\/(?!pages\/assets\/)/.test(source.file) || HOST_CLOCK_FILES.includes(source.file))
    return [];
  const isNewDate = ({ type, callee, arguments: args }) =>
    type === 'NewExpression' && callee.name === 'Date' && args.length === 0;
  return nodesOf(source, (node) => isNewDate(node) || isMember(node, 'Date', 'now')).map(({ start }) =>
    finding(source, start, 'the clock of the host may jump; use currentTime() from shared/time/clock.ts'),
  );
};

const findRawCollections = (source) => {
  if (/^shared\/(database|vectors)\//.test(source.file)) return [];
  const propertyName = (node) => node.property.name ?? node.property.value;
  const isCollection = (node) => node.type === 'MemberExpression' && propertyName(node) === 'collection';
  return nodesOf(source, (node) => isCollection(node) && node.object.type !== 'ThisExpression').map(
    ({ property: { start } }) =>
      finding(source, start, '.collection bypasses the tenant guard; use the model, or shared/database/raw-write.ts'),
  );
};

/** Returns findings for restricted access, except in tests. */
export const checkRestrictedAccess = ({ sources }) =>
  sources
    .filter(({ file }) => !file.startsWith('test/'))
    .flatMap((source) => [
      ...findPackages(source),
      ...findEnvironment(source),
      ...findHostClock(source),
      ...findRawCollections(source),
    ]);
