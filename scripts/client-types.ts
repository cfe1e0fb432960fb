/**
 * Generates the types of the client from the OpenAPI document. `--check` changes nothing and exits with 1 if they are
 * out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { generateOpenapi } from '../api/http/docs/openapi.ts';
import type { Endpoint } from '../api/http/endpoint.ts';
import { endpoints } from '../api/resources.ts';

const TYPES = new URL('../client/operations.d.ts', import.meta.url);
const BANNER = '/** The operations of the API and their records. `npm run check -- --fix` generates this file. */';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: JSONSchema;
}
type Content = Record<string, { schema?: JSONSchema }>;
interface Operation {
  summary: string;
  parameters?: Parameter[];
  requestBody?: { content: Content; required?: boolean };
  responses: Record<string, { content?: Content }>;
}

/** The generated client uses the main path of an endpoint, not its aliases, which serve the deployed clients. */
const withoutAliases = (endpoint: Endpoint): Endpoint => ({ ...endpoint, aliases: [] });

const document = generateOpenapi(endpoints.map(withoutAliases), '/') as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JSONSchema> };
};

const objectOf = (properties: Record<string, JSONSchema>, required: string[]): JSONSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const parametersIn = (place: 'path' | 'query', parameters: Parameter[]): JSONSchema | undefined => {
  const found = parameters.filter((parameter) => parameter.in === place);
  if (!found.length) return undefined;
  const properties = found.map(({ name, schema, description }) => [name, { ...schema, description }]);
  const required = found.filter((parameter) => parameter.required).map(({ name }) => name);
  return objectOf(Object.fromEntries(properties), required);
};

/** The schema of a JSON request body or response; bodies of all other media types are bytes or text. */
const contentSchema = (content: Content = {}): JSONSchema =>
  content['application/json']?.schema ?? { tsType: 'Uint8Array | string' };

const operationSchema = ({ summary, parameters = [], requestBody, responses }: Operation): JSONSchema => {
  const query = parametersIn('query', parameters);
  const path = parametersIn('path', parameters);
  const properties: Record<string, JSONSchema> = {
    ...(path && { path }),
    ...(query && { query }),
    ...(requestBody && { body: contentSchema(requestBody.content) }),
    reply: contentSchema((responses[200] ?? responses[201])?.content),
  };
  const hasRequiredQuery = Array.isArray(query?.required) && query.required.length > 0;
  const isOptional = (name: string) => name === 'query' && !hasRequiredQuery;
  const required = Object.keys(properties).filter((name) => !isOptional(name));
  return { ...objectOf(properties, required), description: summary };
};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operationSchema(operation)]),
);
const root = {
  ...objectOf(
    Object.fromEntries(operations),
    operations.map(([name]) => name as string),
  ),
  definitions: document.components.schemas,
};
const withLocalReferences = JSON.parse(
  JSON.stringify(root).replaceAll('"#/components/schemas/', '"#/definitions/'),
) as JSONSchema;

const updated = await compile(withLocalReferences, 'Operations', {
  bannerComment: BANNER,
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
  style: { printWidth: 120, singleQuote: true },
});
const present = existsSync(TYPES) ? readFileSync(TYPES, 'utf8') : '';
if (updated !== present && process.argv.includes('--check')) {
  console.error('client/operations.d.ts is out of date: run npm run check -- --fix');
  process.exit(1);
}
if (updated !== present) writeFileSync(TYPES, updated);
process.exit(0);
