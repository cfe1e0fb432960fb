/** Checks that production code imports only production dependencies. */
import { importsOf } from './imports.mjs';
import { finding } from './project.mjs';

const MANIFEST = 'package.json';

const packageOf = (specifier) => specifier.match(/^(@[^/]+\/)?[^/]+/)[0];

const productionPackages = ({ files, read }) => {
  if (!files.includes(MANIFEST)) return;
  const { dependencies, optionalDependencies } = JSON.parse(read(MANIFEST));
  return new Set(Object.keys({ ...dependencies, ...optionalDependencies }));
};

/**
 * Returns findings for packages that api, workers or shared import and that are neither in the `dependencies` nor in
 * the `optionalDependencies` of package.json.
 */
export const checkProductionDeps = (project) => {
  const known = productionPackages(project);
  if (!known) return [];
  return project.sources
    .filter(({ file }) => /^(api|workers|shared)\//.test(file))
    .flatMap((source) =>
      importsOf(source)
        .filter(
          ({ specifier, target }) => !target && !specifier.startsWith('node:') && !known.has(packageOf(specifier)),
        )
        .map(({ specifier, start }) =>
          finding(source, start, `${specifier} is not among the dependencies of package.json; add it`),
        ),
    );
};
