/** Valid calls to endpoints, generated from their declarations. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { type JsonSchema, sampleOf } from './schema-samples.ts';

/** A valid id that no record has. */
export const UNKNOWN_ID = '0'.repeat(24);
const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON schema of the input that a Zod schema accepts; computed once for each schema. */
export const schemaOf = (schema?: z.ZodType): JsonSchema => {
  if (!schema) return {};
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const created = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  jsonSchemas.set(schema, created);
  return created;
};

const UNREACHABLE_URL = 'http://127.0.0.1:9/';

/** Values for fields whose schemas do not fully describe the valid values, by the name of the field. */
const valuesByName = (project: string): Record<string, unknown> => ({
  email: `${randomUUID()}@example.com`,
  id_project: project,
  namespace: project,
  source: UNREACHABLE_URL,
  sitemap: UNREACHABLE_URL,
  list: [UNREACHABLE_URL],
});

const sampleInput = (schema: z.ZodType | undefined, project: string): Record<string, unknown> => {
  const value = sampleOf(schemaOf(schema)) as Record<string, unknown>;
  if (Array.isArray(value)) return value as never;
  const known = Object.entries(valuesByName(project)).filter(([name]) => name in value);
  return { ...value, ...Object.fromEntries(known) };
};

/**
 * A call to the endpoint with input that satisfies the endpoint's schemas; `id` replaces every record id in the path.
 */
export const validCall = (endpoint: Endpoint, project: string, id?: string) => {
  const own = (name: string) => id ?? (name === ':namespace' ? project : UNKNOWN_ID);
  const path = endpoint.path.replace(':project_id', project).replace(/:\w+/g, own);
  const query =
    endpoint.query && new URLSearchParams(sampleInput(endpoint.query, project) as Record<string, string>).toString();
  return { path: query ? `${path}?${query}` : path, body: endpoint.body && sampleInput(endpoint.body, project) };
};

/**
 * The highest status that a call may return. An import of a sitemap that cannot be fetched returns 500, because
 * deployed clients rely on this status.
 */
export const maxStatusOf = ({ path }: Endpoint): number => (path.endsWith('/kb/sitemap/import') ? 500 : 499);
