/** No file may import itself, over whatever detour: Tarjan's strongly connected components of the import graph. */
import { finding } from './project.mjs';
import { graphOf, importsOf } from './imports.mjs';

const targetsOf = (graph, file) =>
  importsOf(graph.get(file))
    .map(({ target }) => target)
    .filter((target) => graph.has(target));

const components = (graph) => {
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

/** The shortest way from a file back to itself. */
const wayBack = (graph, start) => {
  const ways = [[start]];
  const seen = new Set();
  for (const way of ways) {
    for (const target of targetsOf(graph, way.at(-1))) {
      if (target === start) return [...way, start];
      if (!seen.has(target)) ways.push([...way, target]);
      seen.add(target);
    }
  }
};

/** One finding for each cycle, at the import that begins it. */
export const cycles = (project) => {
  const graph = graphOf(project);
  return components(graph)
    .filter(([file, ...others]) => others.length || targetsOf(graph, file).includes(file))
    .map((files) => {
      const way = wayBack(graph, files.toSorted()[0]);
      const source = graph.get(way[0]);
      const { start } = importsOf(source).find(({ target }) => target === way[1]);
      return finding(source, start, `import cycle: ${way.join(' -> ')}; move what both need to a file of its own`);
    });
};
