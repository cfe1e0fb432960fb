/** The project's own rules, and their findings in a folder. */
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

/** Runs all rules on a folder. Returns the findings and a summary, each as a line of text. */
export function runRules(folder) {
  const project = readProject(folder);
  const findings = Object.entries(CHECKS).flatMap(([rule, check]) => check(project).map((each) => ({ rule, ...each })));
  const cycleCount = findings.filter(({ rule }) => rule === 'cycles').length;
  return {
    findings: findings.map(({ file, line, rule, text }) => `${file}:${line} ${rule}: ${text}`),
    summary: `${project.sources.length} sources, import cycles ${cycleCount}; ${summarizeSizes(project)}`,
  };
}
