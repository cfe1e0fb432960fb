/** Runs the project's own rules on the folder given (here by default); exits 1 when one is broken. */
import { resolve } from 'node:path';
import { cycles } from './cycles.mjs';
import { directions } from './directions.mjs';
import { handlers } from './handlers.mjs';
import { jobFiles } from './job-files.mjs';
import { leaks } from './leaks.mjs';
import { readProject } from './project.mjs';
import { reserved } from './reserved.mjs';
import { shipped } from './shipped.mjs';
import { sizeSummary, sizes } from './sizes.mjs';
import { sloppy } from './sloppy.mjs';

const RULES = { cycles, directions, handlers, jobFiles, leaks, reserved, shipped, sizes, sloppy };

const project = readProject(resolve(process.argv[2] ?? '.'));
const found = Object.entries(RULES).flatMap(([rule, check]) => check(project).map((each) => ({ rule, ...each })));

for (const { file, line, rule, text } of found) console.log(`${file}:${line} ${rule}: ${text}`);
const cycleCount = found.filter(({ rule }) => rule === 'cycles').length;
console.log(`${project.sources.length} sources, import cycles ${cycleCount}; ${sizeSummary(project)}`);
process.exitCode = found.length ? 1 : 0;
