/** Declares the endpoints of figures, which return rows as JSON or CSV. */
import { z } from 'zod';
import { findTeammateRemoval } from '#shared/domain/team/removed-teammates.ts';
import { Download, type Endpoint, endpoint } from '../http/endpoint.ts';
import { CSV_MEDIA_TYPE, csv } from '../http/response/csv.ts';

const BASE_PATH = '/v3/:project_id/analytics';

interface Figure<Query extends z.ZodObject, Element extends z.ZodObject> {
  /** Path after `analytics/`. */
  path: string;
  summary: string;
  query: Query;
  /** A row of the reply. */
  element: Element;
  read(project: string, query: z.output<Query> & { notBefore: Date | null }): Promise<z.input<Element>[]>;
}

type CsvRow = Record<string, unknown>;

/** The columns of a row; an `_id` that is an object is split into its fields. */
const columnsOf = ({ shape }: z.ZodObject): string[] => {
  const { _id: id, ...rest } = shape as Record<string, z.ZodType>;
  const idColumns = id instanceof z.ZodObject ? Object.keys(id.shape) : id ? ['_id'] : [];
  return [...idColumns, ...Object.keys(rest)];
};

async function* csvRows(rows: CsvRow[]): AsyncGenerator<CsvRow> {
  for (const { _id, ...rest } of rows) yield { ...(typeof _id === 'object' ? _id : { _id }), ...rest };
}

/** Returns rows as a CSV file. */
export const csvFile = (columns: string[], rows: CsvRow[], name: string): Download =>
  new Download(csv(columns, csvRows(rows)), `${name}.csv`);

/** Declares a figure. Every figure requires the admin role. The reply is always an array, even for a single number. */
export const figure = <Query extends z.ZodObject, Element extends z.ZodObject>({
  path,
  summary,
  query,
  element,
  read,
}: Figure<Query, Element>): Endpoint =>
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/${path}`,
    role: 'admin',
    summary,
    query,
    reply: z.array(element),
    alternative: CSV_MEDIA_TYPE,
    handle: async ({ project, query: input }) => {
      const { format, participant, sender } = input as { format?: string; participant?: string; sender?: string };
      const person = participant ?? sender;
      const notBefore = person === undefined ? null : await findTeammateRemoval(project, person);
      const rows = await read(project, { ...(input as z.output<Query>), notBefore });
      return format === 'csv' ? csvFile(columnsOf(element), rows, path.replaceAll('/', '-')) : rows;
    },
  });
