import { join } from 'node:path';
import type { Table as ArrowTable, Data, Schema } from 'apache-arrow';
import type { Row, Space } from './chunk-index.ts';

/**
 * One LanceDB table. A namespace has one of texts and one of vectors for each dimension: so a change of the model, or a
 * model that comes late, never meets a table of another shape. The tenant border is a folder.
 */
export interface Part {
  project: string;
  namespace: string;
  dimension: number | null;
  folder: string;
  table: string;
  path: string;
}

/** The table of texts, or of vectors where a dimension is given. */
export function partOf(root: string, { project, namespace }: Omit<Space, 'dimension'>, dimension: number | null): Part {
  const folder = join(root, project);
  const table = `${namespace}_${dimension ?? 'text'}`;
  return { project, namespace, dimension, folder, table, path: join(folder, `${table}.lance`) };
}

/** The table whose folder this is, or nothing where the folder is no table of ours. */
export function partOfFolder(root: string, project: string, name: string): Part | undefined {
  const [, namespace, kind] = /^([0-9a-f]{24})_(text|\d+)\.lance$/.exec(name) ?? [];
  if (!namespace) return undefined;
  return partOf(root, { project, namespace }, kind === 'text' ? null : Number(kind));
}

/** LanceDB and Arrow take 0.5 s and 90 MB to load: only who uses the index pays. */
export const libraries = async () => ({ lance: await import('@lancedb/lancedb'), arrow: await import('apache-arrow') });

type Arrow = Awaited<ReturnType<typeof libraries>>['arrow'];

/** The columns of a table. */
export function schemaOf(arrow: Arrow, { dimension }: Part): Schema {
  const word = (name: string) => new arrow.Field(name, new arrow.Utf8(), false);
  const item = new arrow.Field('item', new arrow.Float32(), true);
  const payload =
    dimension === null ? word('text') : new arrow.Field('vector', new arrow.FixedSizeList(dimension, item), true);
  return new arrow.Schema([word('id'), word('content'), word('attempt'), payload]);
}

function vectorData(arrow: Arrow, rows: Row[], dimension: number): Data {
  const data = new Float32Array(rows.length * dimension);
  rows.forEach((row, index) => data.set(row.vector ?? [], index * dimension));
  const type = new arrow.FixedSizeList(dimension, new arrow.Field('item', new arrow.Float32(), true));
  const child = arrow.makeData({ type: new arrow.Float32(), length: data.length, data });
  return arrow.makeData({ type, length: rows.length, nullCount: 0, child });
}

/** Rows as Arrow, columns filled directly: the generic conversion costs seven times as much of the event loop. */
export function arrowOf(arrow: Arrow, part: Part, rows: Row[]): ArrowTable {
  const words = (values: string[]) => arrow.vectorFromArray(values, new arrow.Utf8()).data[0] as Data;
  const schema = schemaOf(arrow, part);
  const children = [
    words(rows.map((row) => row.id)),
    words(rows.map((row) => row.content)),
    words(rows.map((row) => row.attempt)),
    part.dimension === null ? words(rows.map((row) => row.text)) : vectorData(arrow, rows, part.dimension),
  ];
  const type = new arrow.Struct(schema.fields);
  return new arrow.Table(new arrow.RecordBatch(schema, arrow.makeData({ type, length: rows.length, children })));
}
