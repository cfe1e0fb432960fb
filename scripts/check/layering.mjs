/**
 * Checks that no layer imports a higher one. The layers, from the lowest: models, events, jobs, queue and domain; then
 * api and workers, which must not import each other either.
 */
import { importGraph, importsOf } from './imports.mjs';
import { finding } from './project.mjs';

const LAYERS = [/^shared\/models\//, /^shared\/events\.ts$/, /^shared\/jobs(\.ts$|\/)/, /^shared\/queue\//];
const RANKED_LAYERS = [...LAYERS, /^shared\/domain\//];
const FORBIDDEN_IMPORTS = {
  shared: ['api', 'workers', 'scripts', 'test'],
  api: ['workers', 'scripts', 'test'],
  workers: ['api', 'scripts', 'test'],
  scripts: ['test'],
};

const rankOf = (file) => RANKED_LAYERS.findIndex((layer) => layer.test(file));

/**
 * Returns the first file in a layer above `rank`: `file` itself or, if `file` belongs to no layer, one that it imports
 * directly or through other files that belong to no layer.
 */
const findHigherFile = (graph, rank, file) => {
  const reached = new Set([file]);
  for (const each of reached) {
    if (rankOf(each) > rank) return each;
    const unranked = each.startsWith('shared/') && rankOf(each) < 0 && graph.get(each);
    if (unranked) for (const { target } of importsOf(unranked)) if (target) reached.add(target);
  }
};

const describeViolation = (graph, file, target) => {
  const [from] = file.split('/');
  const [to] = target.split('/');
  if (FORBIDDEN_IMPORTS[from]?.includes(to)) return `${from} must not import ${to}; move the shared code to shared`;
  const rank = rankOf(file);
  const higher = rank >= 0 && findHigherFile(graph, rank, target);
  return (
    higher &&
    `imports ${higher} from a higher layer (from the lowest: models, events, jobs, queue, domain); reverse the dependency`
  );
};

/** Returns findings for imports in the wrong direction, including indirect ones. */
export const checkLayering = (project) => {
  const graph = importGraph(project);
  return project.sources.flatMap((source) =>
    importsOf(source).flatMap(({ target, start }) => {
      const text = target && describeViolation(graph, source.file, target);
      return text ? [finding(source, start, text)] : [];
    }),
  );
};
