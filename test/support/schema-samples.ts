/** Sample values of a JSON schema, and the paths of its text fields. */
export interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

const SAMPLE_OF_FORMAT: Record<string, string> = {
  email: 'ann@example.com',
  uri: 'http://127.0.0.1:9/',
  uuid: '7f1d0cb5-3a4e-4c5f-9a38-0a5f4d2f1c11',
  'date-time': '2026-01-02T03:04:05.000Z',
};

const SAMPLE_OF_PATTERN: [RegExp, string][] = [
  [/24/, 'a'.repeat(24)],
  [/\\\+/, '+391234567'],
];

const textOf = ({ format = '', pattern = '', minLength = 1, maxLength = 8 }: JsonSchema): string =>
  SAMPLE_OF_FORMAT[format] ??
  SAMPLE_OF_PATTERN.find(([known]) => known.test(pattern))?.[1] ??
  'text'.padEnd(minLength, 'x').slice(0, maxLength);

const objectOf = ({ properties = {}, required = [] }: JsonSchema): object =>
  Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));

const byType: Record<string, (schema: JsonSchema) => unknown> = {
  string: textOf,
  integer: ({ minimum = 1 }) => Math.max(1, minimum),
  number: ({ minimum = 1 }) => Math.max(1, minimum),
  boolean: () => false,
  null: () => null,
  array: ({ items = {}, minItems = 0 }) => Array.from({ length: Math.max(1, minItems) }, () => sampleOf(items)),
  object: objectOf,
};

/** A small value that the schema allows. */
export const sampleOf = (schema: JsonSchema): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const branch = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (branch) return sampleOf(branch);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(sampleOf));
  const type = [schema.type].flat()[0] ?? (schema.properties ? 'object' : 'string');
  return byType[type]?.(schema);
};

/** The path of a text field. */
export interface TextField {
  path: string[];
  maxLength?: number;
}

const isText = ({ type, format }: JsonSchema): boolean => [type].flat().includes('string') || format !== undefined;

/** Every text field of the schema, including optional ones and those in `anyOf`, `oneOf` and `allOf`. */
export const textFields = (schema: JsonSchema, path: string[] = []): TextField[] => [
  ...(isText(schema) ? [{ path, maxLength: schema.maxLength }] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => textFields(property, [...path, name])),
  ...(schema.items ? textFields(schema.items, [...path, '0']) : []),
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((branch) =>
    textFields(branch, path),
  ),
];

/** A copy of `value` with `text` at the path; missing parents are created. */
export const withText = (value: unknown, [first, ...rest]: string[], text: unknown): unknown => {
  if (first === undefined) return text;
  if (first === '0') return [withText(Array.isArray(value) ? value[0] : undefined, rest, text)];
  const object = (value ?? {}) as Record<string, unknown>;
  return { ...object, [first]: withText(object[first], rest, text) };
};
