/** Schemas of optional body fields. */
import { z } from 'zod';

/** An optional field; null counts as absent, because deployed clients send it. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);

/** An optional text with a maximum length. */
export const optionalText = (maxLength: number) => optional(z.string().max(maxLength));
