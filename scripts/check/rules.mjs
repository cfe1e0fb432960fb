/** Runs the project's own rules on a folder (default: the current one); exits with 1 if there are findings. */
import { resolve } from 'node:path';
import { runRules } from './run-rules.mjs';

const { findings, summary } = runRules(resolve(process.argv[2] ?? '.'));
for (const line of [...findings, summary]) console.log(line);
process.exitCode = findings.length ? 1 : 0;
