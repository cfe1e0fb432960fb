/** Calls that endpoints accept, made from their declarations. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { type JsonSchema, sample } from './sample.ts';

/** The id of no record. */
export const UNKNOWN = '0'.repeat(24);
/** What a schema takes, as a JSON schema. */
export const schemaOf = (schema?: z.ZodType): JsonSchema =>
  schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema) : {};

const NOWHERE = 'http://127.0.0.1:9/';

/** Values that a schema can not tell: what a name stands for, in every resource. */
const meanings = (project: string): Record<string, unknown> => ({
  email: `${randomUUID()}@example.com`,
  id_project: project,
  namespace: project,
  source: NOWHERE,
  sitemap: NOWHERE,
  list: [NOWHERE],
});

const filled = (schema: z.ZodType | undefined, project: string): Record<string, unknown> => {
  const value = sample(schemaOf(schema)) as Record<string, unknown>;
  if (Array.isArray(value)) return value as never;
  const known = Object.entries(meanings(project)).filter(([name]) => name in value);
  return { ...value, ...Object.fromEntries(known) };
};

/** A call of the endpoint that it would accept, as far as can be told; `id` stands for every record of its path. */
export const validCall = (endpoint: Endpoint, project: string, id?: string) => {
  const own = (name: string) => id ?? (name === ':namespace' ? project : UNKNOWN);
  const path = endpoint.path.replace(':project_id', project).replace(/:\w+/g, own);
  const query =
    endpoint.query && new URLSearchParams(filled(endpoint.query, project) as Record<string, string>).toString();
  return { path: query ? `${path}?${query}` : path, body: endpoint.body && filled(endpoint.body, project) };
};
