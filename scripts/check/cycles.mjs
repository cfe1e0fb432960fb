/** Finds import cycles: the strongly connected components of the import graph. */
import { findComponents } from './components.mjs';
import { importGraph, importsOf } from './imports.mjs';
import { finding } from './project.mjs';

/** Returns the files of the project that each file imports. */
const targetsByFile = (sources) =>
  new Map(
    [...sources].map(([file, source]) => [
      file,
      importsOf(source)
        .map(({ target }) => target)
        .filter((target) => sources.has(target)),
    ]),
  );

/** Returns the shortest import path from a file back to itself. */
const shortestCycle = (graph, start) => {
  const paths = [[start]];
  const seen = new Set();
  for (const path of paths) {
    for (const target of graph.get(path.at(-1))) {
      if (target === start) return [...path, start];
      if (!seen.has(target)) paths.push([...path, target]);
      seen.add(target);
    }
  }
};

/** Returns one finding for each cycle, at its first import. */
export const findCycles = (project) => {
  const sources = importGraph(project);
  const graph = targetsByFile(sources);
  return findComponents(graph)
    .filter(([file, ...others]) => others.length || graph.get(file).includes(file))
    .map((files) => {
      const cycle = shortestCycle(graph, files.toSorted()[0]);
      const source = sources.get(cycle[0]);
      const { start } = importsOf(source).find(({ target }) => target === cycle[1]);
      return finding(source, start, `import cycle: ${cycle.join(' -> ')}; move the shared code to another file`);
    });
};
