/** Where LanceDB tables are stored, and the Arrow schema of their rows. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Session } from '@lancedb/lancedb';
import type { Table as ArrowTable, Data, Schema } from 'apache-arrow';
import { type IndexRow, type IndexSpace, vectorsName } from './chunk-index.ts';

/**
 * One LanceDB table. A namespace has one table of texts and one table of vectors per embedding model. Each project has
 * its own folder, which separates tenants.
 */
export interface TableLocation {
  project: string;
  namespace: string;
  dimension: number | null;
  folder: string;
  table: string;
  path: string;
}

type Namespace = Pick<IndexSpace, 'project' | 'namespace'>;

const locate = (root: string, { project, namespace }: Namespace, kind: string): TableLocation => {
  const folder = join(root, project);
  const table = `${namespace}_${kind}`;
  const dimension = kind === 'text' ? null : Number.parseInt(kind, 10);
  return { project, namespace, dimension, folder, table, path: join(folder, `${table}.lance`) };
};

/** Returns the location of the text table of a namespace. */
export const locateTextTable = (root: string, space: Namespace): TableLocation => locate(root, space, 'text');

/** Returns the location of the table with a namespace's vectors of one embedding model. */
export const locateVectorTable = (root: string, space: IndexSpace): TableLocation =>
  locate(root, space, vectorsName(space));

/** Returns the location of the table in a folder, or undefined if the folder does not contain a table. */
export function parseTableFolder(root: string, project: string, name: string): TableLocation | undefined {
  const [, namespace, kind] = /^([0-9a-f]{24})_(text|\d+(?:_[0-9a-f]{12})?)\.lance$/.exec(name) ?? [];
  return namespace && kind ? locate(root, { project, namespace }, kind) : undefined;
}

/**
 * How the package names of LanceDB's native libraries end: for Linux with glibc, Linux with musl, Windows and macOS.
 */
const LIBRARY_KINDS = ['-gnu', '-musl', '-msvc', ''];
let isInstalled = false;

const isResolvable = (name: string): boolean => {
  try {
    createRequire(import.meta.resolve('@lancedb/lancedb')).resolve(name);
    return true;
  } catch {
    return false;
  }
};

/** Throws if LanceDB or its library for this platform is not installed. Loads neither. */
export const assertInstalled = (): void => {
  const library = `@lancedb/lancedb-${process.platform}-${process.arch}`;
  isInstalled ||= LIBRARY_KINDS.some((kind) => isResolvable(`${library}${kind}`));
  if (!isInstalled) throw new Error('LanceDB or its library for this platform is not installed');
};

/** Loads LanceDB and Arrow on first use, because that takes 0.5 s and 90 MB. */
export const loadLibraries = async () => ({
  lance: await import('@lancedb/lancedb'),
  arrow: await import('apache-arrow'),
});

const BYTES_PER_MIB = 1n << 20n;
const METADATA_SHARE = 4n;

/** Returns the caches that connections share: `cacheMib` MiB for indexes, and a quarter of that for metadata. */
export const createSession = (lance: Awaited<ReturnType<typeof loadLibraries>>['lance'], cacheMib: number): Session => {
  const indexBytes = BigInt(cacheMib) * BYTES_PER_MIB;
  return new lance.Session(indexBytes, indexBytes / METADATA_SHARE);
};

type ArrowLibrary = Awaited<ReturnType<typeof loadLibraries>>['arrow'];

/** Returns the Arrow schema of a table. */
export function tableSchema(arrow: ArrowLibrary, { dimension }: TableLocation): Schema {
  const textField = (name: string) => new arrow.Field(name, new arrow.Utf8(), false);
  const item = new arrow.Field('item', new arrow.Float32(), true);
  const payload =
    dimension === null ? textField('text') : new arrow.Field('vector', new arrow.FixedSizeList(dimension, item), true);
  return new arrow.Schema([textField('id'), textField('content'), textField('attemptId'), payload]);
}

function vectorData(arrow: ArrowLibrary, rows: IndexRow[], dimension: number): Data {
  const data = new Float32Array(rows.length * dimension);
  rows.forEach((row, index) => data.set(row.vector ?? [], index * dimension));
  const type = new arrow.FixedSizeList(dimension, new arrow.Field('item', new arrow.Float32(), true));
  const child = arrow.makeData({ type: new arrow.Float32(), length: data.length, data });
  return arrow.makeData({ type, length: rows.length, nullCount: 0, child });
}

/**
 * Converts rows to an Arrow table. The columns are filled directly, because the generic conversion blocks the event
 * loop for seven times as long.
 */
export function toArrowTable(arrow: ArrowLibrary, location: TableLocation, rows: IndexRow[]): ArrowTable {
  const textColumn = (values: string[]) => arrow.vectorFromArray(values, new arrow.Utf8()).data[0] as Data;
  const schema = tableSchema(arrow, location);
  const children = [
    textColumn(rows.map((row) => row.id)),
    textColumn(rows.map((row) => row.content)),
    textColumn(rows.map((row) => row.attemptId)),
    location.dimension === null ? textColumn(rows.map((row) => row.text)) : vectorData(arrow, rows, location.dimension),
  ];
  const type = new arrow.Struct(schema.fields);
  return new arrow.Table(new arrow.RecordBatch(schema, arrow.makeData({ type, length: rows.length, children })));
}
