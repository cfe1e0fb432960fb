/** Random values that a JSON schema allows, often the smallest or largest number and the shortest or longest text. */
import { type JsonSchema, sampleOf } from '../schema-samples.ts';
import { type Draw, drawInteger, drawText, pick } from './draw.ts';

const LONGEST_TEXT = 300;
const LONGEST_LIST = 3;

const drawString = (schema: JsonSchema, draw: Draw): string => {
  const { format, pattern, minLength = 0, maxLength = LONGEST_TEXT } = schema;
  if (format || pattern) return sampleOf(schema) as string;
  const longest = Math.max(minLength, Math.min(maxLength, LONGEST_TEXT));
  return drawText(draw, pick(draw, [minLength, longest, drawInteger(draw, minLength, longest)]));
};

const drawNumber = ({ minimum = -1000, maximum = 1000 }: JsonSchema, draw: Draw): number =>
  pick(draw, [minimum, maximum, drawInteger(draw, minimum, maximum)]);

const drawList = ({ items = {}, minItems = 0, maxItems = LONGEST_LIST }: JsonSchema, draw: Draw): unknown[] => {
  const longest = Math.max(minItems, Math.min(maxItems, LONGEST_LIST));
  return Array.from({ length: drawInteger(draw, minItems, longest) }, () => drawValue(items, draw));
};

const drawObject = ({ properties = {}, required = [] }: JsonSchema, draw: Draw): object => {
  const names = Object.keys(properties).filter((name) => required.includes(name) || draw() < 0.3);
  return Object.fromEntries(names.map((name) => [name, drawValue(properties[name] as JsonSchema, draw)]));
};

const drawByType: Record<string, (schema: JsonSchema, draw: Draw) => unknown> = {
  string: drawString,
  integer: drawNumber,
  number: drawNumber,
  boolean: (_, draw) => draw() < 0.5,
  null: () => null,
  array: drawList,
  object: drawObject,
};

/** A random value that the schema allows. */
export const drawValue = (schema: JsonSchema, draw: Draw): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pick(draw, schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return drawValue(pick(draw, alternatives), draw);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => drawValue(part, draw)));
  const type = schema.type === undefined ? (schema.properties ? 'object' : 'string') : pick(draw, [schema.type].flat());
  return drawByType[type]?.(schema, draw);
};
