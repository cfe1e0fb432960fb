/** Finds import cycles: Tarjan's strongly connected components of the import graph. */
import { importGraph, importsOf } from './imports.mjs';
import { finding } from './project.mjs';

const targetsOf = (graph, file) =>
  importsOf(graph.get(file))
    .map(({ target }) => target)
    .filter((target) => graph.has(target));

const findComponents = (graph) => {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const target of targetsOf(graph, file)) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file), low.get(target)));
    }
    if (low.get(file) === index.get(file)) found.push(stack.splice(stack.indexOf(file)));
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return found;
};

/** Returns the shortest import path from a file back to itself. */
const shortestCycle = (graph, start) => {
  const paths = [[start]];
  const seen = new Set();
  for (const path of paths) {
    for (const target of targetsOf(graph, path.at(-1))) {
      if (target === start) return [...path, start];
      if (!seen.has(target)) paths.push([...path, target]);
      seen.add(target);
    }
  }
};

/** Returns one finding for each cycle, at its first import. */
export const findCycles = (project) => {
  const graph = importGraph(project);
  return findComponents(graph)
    .filter(([file, ...others]) => others.length || targetsOf(graph, file).includes(file))
    .map((files) => {
      const cycle = shortestCycle(graph, files.toSorted()[0]);
      const source = graph.get(cycle[0]);
      const { start } = importsOf(source).find(({ target }) => target === cycle[1]);
      return finding(source, start, `import cycle: ${cycle.join(' -> ')}; move the shared code to another file`);
    });
};
