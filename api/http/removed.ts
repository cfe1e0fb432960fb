/** What is answered where records are removed, and none of them is left to show. */
import { z } from 'zod';

export const Removed = z.strictObject({ n: z.number(), ok: z.number(), deletedCount: z.number() });

/** So many of them are gone. */
export const removed = (count: number): z.input<typeof Removed> => ({ n: count, ok: 1, deletedCount: count });
