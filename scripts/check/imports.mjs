/** Who imports whom, types included. */
import { posix } from 'node:path';
import { nodesOf } from './project.mjs';

const IMPORTING = new Set([
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

/** Imports of a source: `specifier`, `start`, and `target`, a file of the project, unless it is a package. */
export const importsOf = (source) => {
  source.imports ??= nodesOf(source, (node) => IMPORTING.has(node.type) && typeof node.source?.value === 'string').map(
    ({ source: { value: specifier }, start }) => ({ specifier, start, target: targetOf(source.file, specifier) }),
  );
  return source.imports;
};

/** The import graph: source by file. */
export const graphOf = ({ sources }) => new Map(sources.map((source) => [source.file, source]));
