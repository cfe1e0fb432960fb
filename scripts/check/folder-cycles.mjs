/** Finds folders that import each other, directly or through other folders. */
import { importsOf } from './imports.mjs';
import { finding } from './project.mjs';

/** The folders whose subfolders must form layers. A file of `shared` counts as a folder of its own. */
const PARENTS = ['shared', 'shared/domain', 'api/http', 'workers'];

const isFile = (child) => child.endsWith('.ts');

const childOf = (parent, file) => {
  if (!file?.startsWith(`${parent}/`)) return undefined;
  const [child] = file.slice(parent.length + 1).split('/');
  return child;
};

/** Returns the imports between the children of `parent`: for each child, the imported children with one example each. */
const importsBetween = (parent, sources) => {
  const graph = new Map();
  for (const source of sources) {
    const from = childOf(parent, source.file);
    if (!from || (parent !== 'shared' && isFile(from))) continue;
    for (const { target, start } of importsOf(source)) {
      const to = childOf(parent, target);
      if (!to || to === from || (parent !== 'shared' && isFile(to))) continue;
      const targets = graph.get(from) ?? graph.set(from, new Map()).get(from);
      if (!targets.has(to)) targets.set(to, { source, start });
    }
  }
  return graph;
};

const reaches = (graph, start, end) => {
  const seen = new Set([start]);
  for (const each of seen)
    for (const next of graph.get(each)?.keys() ?? [])
      if (next === end) return true;
      else seen.add(next);
  return false;
};

const findIn = (parent, sources) => {
  const graph = importsBetween(parent, sources);
  return [...graph].flatMap(([from, targets]) =>
    [...targets]
      .filter(([to]) => !(isFile(from) && isFile(to)) && reaches(graph, to, from))
      .map(([to, { source, start }]) =>
        finding(
          source,
          start,
          `${parent}/${from} and ${parent}/${to} import each other; move the shared code below both`,
        ),
      ),
  );
};

/** Returns a finding for each import that closes a cycle between folders. */
export const findFolderCycles = ({ sources }) =>
  PARENTS.flatMap((parent) => findIn(parent, sources)).toSorted((a, b) => (a.file < b.file ? -1 : 1));
