/** JSON schemas of the AsyncAPI document. Records that several messages contain are components. */
import { z } from 'zod';

/** A part of the document. */
export type JsonObject = Record<string, unknown>;

/** Returns a reference to another part of the document. */
export const ref = (path: string): { $ref: string } => ({ $ref: `#/${path}` });

/**
 * The metadata of schemas without their ids. A View (`wire/view.ts`) has an id for the OpenAPI document. With this id,
 * Zod would move each View that a schema contains to a definition of its own; without it, the View stays inline.
 */
class DescriptionRegistry extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType) {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  }
}
const metadata = new DescriptionRegistry();

/** Converts a Zod schema to a JSON schema. Views that the schema contains are inline. */
export const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonObject => {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { target: 'draft-7', unrepresentable: 'any', io, metadata });
  return plain;
};

/** Returns the schema of an object. By default, all its properties are required. */
export const objectSchema = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});

/** The component schemas of a document, by record View. */
export class SchemaComponents {
  readonly #names = new Map<z.ZodObject, string>();

  /** Names a View unless it already has a name. */
  add(view: z.ZodObject, name: string): void {
    if (!this.#names.has(view)) this.#names.set(view, name);
  }

  /** Returns a reference to the schema of a View, which must have a name. */
  refTo(view: z.ZodObject): { $ref: string } {
    return ref(`components/schemas/${this.#names.get(view)}`);
  }

  /** Returns the schemas by name. */
  toJson(): JsonObject {
    return Object.fromEntries([...this.#names].map(([view, name]) => [name, jsonSchemaOf(view)]));
  }
}
