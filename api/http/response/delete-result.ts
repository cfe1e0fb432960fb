/** The reply of some endpoints that delete records: the result of the MongoDB driver, which deployed clients expect. */
import { z } from 'zod';

export const DeleteResult = z.strictObject({ n: z.number(), ok: z.number(), deletedCount: z.number() });

/** Returns the reply for `count` deleted records. */
export const deleteResult = (count: number): z.input<typeof DeleteResult> => ({ n: count, ok: 1, deletedCount: count });
