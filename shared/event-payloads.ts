/**
 * Entries of the event registry that add extra fields or a context to a View, which is the schema of a record in
 * payloads and responses.
 */
import { z } from 'zod';

/** An entry whose payload has the record under `recordKey`, and additional fields next to it. */
export interface PayloadWithExtras<Key extends string, View extends z.ZodObject, Extras extends z.ZodRawShape> {
  recordKey: Key;
  view: View;
  extras: z.ZodObject<Extras>;
}

/**
 * An entry with extras, such as `'request.updated': withExtras('request', ConversationView, { comment: z.string() })`.
 */
export const withExtras = <K extends string, V extends z.ZodObject, E extends z.ZodRawShape>(
  recordKey: K,
  view: V,
  extras: E,
) => ({ recordKey, view, extras: z.strictObject(extras) }) as PayloadWithExtras<K, V, E>;

/**
 * An entry whose payload is the record alone. Listeners also receive the `context`: values from the time of the write,
 * such as the conversation's bot. Clients and webhooks never receive it.
 */
export interface EventWithContext<View extends z.ZodObject, Context extends z.ZodRawShape> {
  view: View;
  context: z.ZodObject<Context>;
}

export const withContext = <V extends z.ZodObject, C extends z.ZodRawShape>(view: V, context: C) =>
  ({ view, context: z.strictObject(context) }) as EventWithContext<V, C>;
