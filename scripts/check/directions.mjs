/** Imports point one way: models -> events -> jobs -> queue -> domain -> api | workers. */
import { finding } from './project.mjs';
import { graphOf, importsOf } from './imports.mjs';

const LAYERS = [/^shared\/models\//, /^shared\/events\.ts$/, /^shared\/jobs(\.ts$|\/)/, /^shared\/queue\.ts$/];
const ORDER = [...LAYERS, /^shared\/domain\//];
const FORBIDDEN = {
  shared: ['api', 'workers', 'scripts', 'test'],
  api: ['workers', 'scripts', 'test'],
  workers: ['api', 'scripts', 'test'],
  scripts: ['test'],
};

const rankOf = (file) => ORDER.findIndex((layer) => layer.test(file));

/** The first file above `rank` reached from `file`, straight or through files of no layer. */
const climb = (graph, rank, file) => {
  const reached = new Set([file]);
  for (const each of reached) {
    if (rankOf(each) > rank) return each;
    const detour = each.startsWith('shared/') && rankOf(each) < 0 && graph.get(each);
    if (detour) for (const { target } of importsOf(detour)) if (target) reached.add(target);
  }
};

const complaint = (graph, file, target) => {
  const [from] = file.split('/');
  const [to] = target.split('/');
  if (FORBIDDEN[from]?.includes(to)) return `${from} never imports ${to}; move what both need to shared`;
  const rank = rankOf(file);
  const higher = rank >= 0 && climb(graph, rank, target);
  return higher && `imports ${higher}, a later layer of models -> events -> jobs -> queue -> domain; turn it round`;
};

/** Findings for imports that point the wrong way, hidden detours included. */
export const directions = (project) => {
  const graph = graphOf(project);
  return project.sources.flatMap((source) =>
    importsOf(source).flatMap(({ target, start }) => {
      const text = target && complaint(graph, source.file, target);
      return text ? [finding(source, start, text)] : [];
    }),
  );
};
