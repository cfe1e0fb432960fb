import { z } from 'zod';

/** A visitor: an identity that lives in its token (contract a 3.5). */
export const VisitorView = z.strictObject({
  _id: z.uuid(),
  id: z.uuid(),
  firstname: z.string(),
  lastname: z.string().optional(),
  email: z.string().optional(),
  attributes: z.record(z.string(), z.unknown()).optional(),
  fullName: z.string(),
});
