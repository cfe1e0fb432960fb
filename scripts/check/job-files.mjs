/** One folder of workers is one queue and one file in it one job; workers/steps holds the pure steps, workers/relay is no queue. */
import { importsOf } from './imports.mjs';

const MENU = 'workers/processors.ts';

/** Findings for files in a queue's folder that the menu of processors does not import. */
export const jobFiles = ({ sources }) => {
  const menu = sources.find(({ file }) => file === MENU);
  const listed = new Set(menu ? importsOf(menu).map(({ target }) => target) : []);
  return sources
    .filter(({ file }) => /^workers\/(?!(steps|relay)\/)[^/]+\//.test(file) && !listed.has(file))
    .map(({ file }) => ({ file, line: 1, text: `not a job of ${MENU}; list it there, or move it to workers/steps` }));
};
