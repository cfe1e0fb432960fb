/** What runs in production imports only what production installs. */
import { importsOf } from './imports.mjs';
import { finding } from './project.mjs';

const MANIFEST = 'package.json';

const packageOf = (specifier) => specifier.match(/^(@[^/]+\/)?[^/]+/)[0];

const shippedBy = ({ files, read }) => {
  if (!files.includes(MANIFEST)) return;
  const { dependencies, optionalDependencies } = JSON.parse(read(MANIFEST));
  return new Set(Object.keys({ ...dependencies, ...optionalDependencies }));
};

/** Findings for packages that api, workers or shared import and package.json has not among its `dependencies`. */
export const shipped = (project) => {
  const known = shippedBy(project);
  if (!known) return [];
  return project.sources
    .filter(({ file }) => /^(api|workers|shared)\//.test(file))
    .flatMap((source) =>
      importsOf(source)
        .filter(
          ({ specifier, target }) => !target && !specifier.startsWith('node:') && !known.has(packageOf(specifier)),
        )
        .map(({ specifier, start }) =>
          finding(source, start, `${specifier} is not among the dependencies; add it there`),
        ),
    );
};
