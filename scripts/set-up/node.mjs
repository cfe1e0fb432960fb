/** Node 24, which runs the TypeScript: the running one where it is new enough, else the one among the packages. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { SetUpError } from './errors.mjs';
import { root } from './paths.mjs';

const NEEDED = 24;

const packaged = () => path.join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');

/** The path of a Node that is new enough; call `ensurePackages` first. Throws `SetUpError` where there is none. */
export function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= NEEDED) return process.execPath;
  if (existsSync(packaged())) return packaged();
  throw new SetUpError(`Node ${NEEDED} or newer is needed; this is ${process.version}.`, {
    tried: [`the running Node (${process.execPath})`, `the package node-${process.platform}-${process.arch}`],
    waysOut: [
      `start with Node ${NEEDED} first on PATH`,
      'use Linux on x64 or arm64, where Node comes with the packages',
      'delete node_modules and start again, if optional packages were left out',
    ],
  });
}

/**
 * What libraries with native parts go by: none phones home, and glibc gives memory back instead of keeping an arena
 * for each thread, which doubled the size of a worker that fills an index.
 */
const NATIVE = {
  ORT_DISABLE_TELEMETRY: '1',
  LANCE_INCLUDE_VECTOR_CENTROIDS: 'false',
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
};

/** The environment of our children: they and whatever they start find that Node first. */
export const withNode = (node, env) => ({
  ...NATIVE,
  ...env,
  PATH: [path.dirname(node), env.PATH].filter(Boolean).join(path.delimiter),
});
