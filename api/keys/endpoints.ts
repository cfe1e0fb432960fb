/** The secret that a project shares with its own systems (contract a 3.7). */
import { z } from 'zod';
import { integer } from '#shared/lenient.ts';
import * as keys from '#shared/domain/access/keys.ts';
import { endpoint } from '../http/endpoint.ts';
import { LIMITS } from '../limits.ts';

const HOUR = 3600;

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/keys/generate',
    role: 'admin',
    summary:
      "Make the secret that signs the project's own tokens; it is shown this once. The secret before it ends after `overlap`; at most 3 are in force, the oldest ends",
    body: z.object({
      overlap: integer(0, LIMITS.keyOverlap)
        .default(24 * HOUR)
        .meta({ description: 'Seconds for which the secret before stays in force; 0 where it got into wrong hands' }),
    }),
    reply: z.strictObject({ jwtSecret: z.string() }),
    handle: async ({ project, actor, body: { overlap } }) => ({
      jwtSecret: await keys.generate(project, { createdBy: actor.id, overlap }),
    }),
  }),
];
