/** The query parameter of stream tickets. */
import { z } from 'zod';

export const ticketParameter = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'Ticket in place of the `Authorization` header; valid for one connection' });
