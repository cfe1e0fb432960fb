/** Finds Node 24, which runs TypeScript: the running Node if it is new enough, otherwise the packaged one. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { SetUpError } from './errors.mjs';
import { root } from './paths.mjs';

const MIN_NODE_VERSION = 24;

const packagedNode = () => path.join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');

/** Returns the path of a Node that is new enough; throws `SetUpError` if there is none. Call `ensurePackages` first. */
export function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= MIN_NODE_VERSION) return process.execPath;
  if (existsSync(packagedNode())) return packagedNode();
  throw new SetUpError(`Node ${MIN_NODE_VERSION} or newer is needed; this is ${process.version}.`, {
    tried: [`the running Node (${process.execPath})`, `the package node-${process.platform}-${process.arch}`],
    remedies: [
      `start with Node ${MIN_NODE_VERSION} first on PATH`,
      'use Linux on x64 or arm64, for which Node is among the packages',
      'if optional packages were not installed, delete node_modules and start again',
    ],
  });
}

/**
 * Settings for native libraries: ONNX Runtime sends no telemetry, and glibc returns memory to the system. With the
 * default number of glibc arenas, a worker that builds an index uses twice the memory.
 */
const NATIVE_ENVIRONMENT = {
  ORT_DISABLE_TELEMETRY: '1',
  LANCE_INCLUDE_VECTOR_CENTROIDS: 'false',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
};

/**
 * Options for V8, unless `NODE_OPTIONS` is set. With V8's default, an API process that sends and receives large files
 * keeps 107 MB for young objects; with this limit, it keeps 31 MB.
 */
const V8_OPTIONS = '--max-semi-space-size=16';

/**
 * Returns the environment of child processes: `env` with `node` first on PATH, options for V8, and settings for native
 * libraries.
 */
export const withNode = (node, env) => ({
  ...NATIVE_ENVIRONMENT,
  ...env,
  NODE_OPTIONS: env.NODE_OPTIONS ?? V8_OPTIONS,
  PATH: [path.dirname(node), env.PATH].filter(Boolean).join(path.delimiter),
});
