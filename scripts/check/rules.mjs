/** Runs the project's own rules on a folder (default: the current one); exits with 1 if there are findings. */
import { resolve } from 'node:path';
import { findCycles } from './cycles.mjs';
import { findFolderCycles } from './folder-cycles.mjs';
import { checkHandlers } from './handlers.mjs';
import { checkJobFiles } from './job-files.mjs';
import { checkLayering } from './layering.mjs';
import { checkMachinePaths } from './machine-paths.mjs';
import { checkProductionDeps } from './production-deps.mjs';
import { readProject } from './project.mjs';
import { checkRestrictedAccess } from './restricted-access.mjs';
import { checkSizes, summarizeSizes } from './sizes.mjs';
import { checkUnsafeCode } from './unsafe-code.mjs';
import { checkVocabulary } from './vocabulary.mjs';

const CHECKS = {
  cycles: findCycles,
  folderCycles: findFolderCycles,
  layering: checkLayering,
  handlers: checkHandlers,
  jobFiles: checkJobFiles,
  machinePaths: checkMachinePaths,
  restrictedAccess: checkRestrictedAccess,
  productionDeps: checkProductionDeps,
  sizes: checkSizes,
  unsafeCode: checkUnsafeCode,
  vocabulary: checkVocabulary,
};

const project = readProject(resolve(process.argv[2] ?? '.'));
const findings = Object.entries(CHECKS).flatMap(([rule, check]) => check(project).map((each) => ({ rule, ...each })));

for (const { file, line, rule, text } of findings) console.log(`${file}:${line} ${rule}: ${text}`);
const cycleCount = findings.filter(({ rule }) => rule === 'cycles').length;
console.log(`${project.sources.length} sources, import cycles ${cycleCount}; ${summarizeSizes(project)}`);
process.exitCode = findings.length ? 1 : 0;
