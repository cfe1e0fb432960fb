/** The steps of the check: each one command, run with the Node named, without a shell. */
import { existsSync } from 'node:fs';

const tool = (path) => `node_modules/${path}`;

const GENERATOR = 'scripts/config-table.ts';

/** `note` repeats the last line of a step that passed; `node` is a Node that runs TypeScript. */
export const stepsOf = ({ fix, node }) => [
  { name: 'types', command: [tool('typescript/bin/tsc'), '--noEmit', '--project', '.'] },
  { name: 'lint', command: [tool('oxlint/bin/oxlint'), ...(fix ? ['--fix'] : [])] },
  { name: 'format', command: [tool('@biomejs/biome/bin/biome'), 'format', fix ? '--write' : '--reporter=summary'] },
  { name: 'unused', command: [tool('knip/bin/knip.js'), '--no-progress', '--no-config-hints'] },
  { name: 'rules', command: ['scripts/check/rules.mjs'], note: true },
  ...(existsSync(GENERATOR) ? [{ name: 'generated', node, command: [GENERATOR, ...(fix ? [] : ['--check'])] }] : []),
];
