/** Finds the imports of sources, including type imports. */
import { posix } from 'node:path';
import { nodesOf } from './project.mjs';

const IMPORT_NODES = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

const targetOf = (file, specifier) => {
  if (specifier.startsWith('#shared/')) return `shared/${specifier.slice('#shared/'.length)}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined;
};

/**
 * Returns the imports of a source as `{ specifier, start, target }`; `target` is a file of the project, or undefined
 * for a package.
 */
export const importsOf = (source) => {
  source.imports ??= nodesOf(
    source,
    (node) => IMPORT_NODES.has(node.type) && typeof node.source?.value === 'string',
  ).map(({ source: { value: specifier }, start }) => ({ specifier, start, target: targetOf(source.file, specifier) }));
  return source.imports;
};

/** Returns the import graph: sources by file. `importsOf` returns the edges from a source. */
export const importGraph = ({ sources }) => new Map(sources.map((source) => [source.file, source]));
