/** The steps of `npm run check`; each is one command, run without a shell. */
import { existsSync } from 'node:fs';

const toolPath = (path) => `node_modules/${path}`;

/** The generators of texts in the repository, each named after what it generates. */
const GENERATORS = {
  settings: 'scripts/config-table.ts',
  licences: 'scripts/licence-list.mjs',
  client: 'scripts/client-types.ts',
};

/**
 * Returns the steps. If a step with `note` passes, the last line of its output is printed. `node` is the path of a Node
 * executable that runs TypeScript.
 */
export const checkSteps = ({ fix, node }) => [
  // Single-threaded, because parallel checkers compute the same types repeatedly and take three times the CPU time.
  { name: 'types', command: [toolPath('typescript/bin/tsc'), '--noEmit', '--singleThreaded', '--project', '.'] },
  { name: 'lint', command: [toolPath('oxlint/bin/oxlint'), ...(fix ? ['--fix'] : [])] },
  { name: 'format', command: [toolPath('@biomejs/biome/bin/biome'), 'format', fix ? '--write' : '--reporter=summary'] },
  { name: 'unused', command: [toolPath('knip/bin/knip.js'), '--no-progress', '--no-config-hints'] },
  { name: 'rules', command: ['scripts/check/rules.mjs'], note: true },
  ...Object.entries(GENERATORS)
    .filter(([, generator]) => existsSync(generator))
    .map(([name, generator]) => ({ name, node, command: [generator, ...(fix ? [] : ['--check'])] })),
];
