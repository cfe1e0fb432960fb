/** Finds folders that import each other, directly or through other folders. */
import { findComponents } from './components.mjs';
import { importsOf } from './imports.mjs';
import { finding } from './project.mjs';

/** The folders whose subfolders must form layers: no chain of imports leaves a subfolder and returns to it. */
const PARENTS = ['shared', 'shared/domain', 'shared/domain/conversations', 'api/http', 'workers'];
/** In this parent folder, files are layers, too. Files directly in the other parent folders are ignored. */
const PARENT_OF_LAYER_FILES = 'shared';

const isFile = (child) => child.endsWith('.ts');

const childOf = (parent, file) => {
  if (!file?.startsWith(`${parent}/`)) return undefined;
  const [child] = file.slice(parent.length + 1).split('/');
  return isFile(child) && parent !== PARENT_OF_LAYER_FILES ? undefined : child;
};

/**
 * Returns the imports between the children of `parent`: for each child, the children that it imports, each with the
 * position of one import.
 */
const importsBetween = (parent, sources) => {
  const graph = new Map();
  for (const source of sources) {
    const from = childOf(parent, source.file);
    if (!from) continue;
    for (const { target, start } of importsOf(source)) {
      const to = childOf(parent, target);
      if (!to || to === from) continue;
      const targets = graph.get(from) ?? graph.set(from, new Map()).get(from);
      if (!targets.has(to)) targets.set(to, { source, start });
    }
  }
  return graph;
};

const findIn = (parent, sources) => {
  const graph = importsBetween(parent, sources);
  const targets = new Map([...graph].map(([from, examples]) => [from, [...examples.keys()]]));
  return findComponents(targets).flatMap((component) =>
    component.flatMap((from) =>
      [...(graph.get(from) ?? [])]
        .filter(([to]) => component.includes(to) && !(isFile(from) && isFile(to)))
        .map(([to, { source, start }]) =>
          finding(
            source,
            start,
            `${parent}/${from} and ${parent}/${to} import each other, directly or through other folders; move the shared code to a layer below both`,
          ),
        ),
    ),
  );
};

/** Returns findings for imports that form cycles between folders: one per pair of importing and imported folders. */
export const findFolderCycles = ({ sources }) =>
  PARENTS.flatMap((parent) => findIn(parent, sources)).toSorted((a, b) => (a.file < b.file ? -1 : 1));
