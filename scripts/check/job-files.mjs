/**
 * Checks that each file in a subfolder of workers is a job. The folders bot-engine, deliveries, indexing, listeners,
 * mail-sender and relay are exempt, because they do not belong to a queue.
 */
import { importsOf } from './imports.mjs';

const JOB_REGISTRY = 'workers/processors.ts';

/** Returns findings for files in a queue's folder that the job registry does not import. */
export const checkJobFiles = ({ sources }) => {
  const registry = sources.find(({ file }) => file === JOB_REGISTRY);
  const listed = new Set(registry ? importsOf(registry).map(({ target }) => target) : []);
  return sources
    .filter(
      ({ file }) =>
        /^workers\/(?!(bot-engine|deliveries|indexing|listeners|mail-sender|relay)\/)[^/]+\//.test(file) &&
        !listed.has(file),
    )
    .map(({ file }) => ({
      file,
      line: 1,
      text: `not listed in ${JOB_REGISTRY}; add it there, or move it to workers/indexing or workers/listeners`,
    }));
};
