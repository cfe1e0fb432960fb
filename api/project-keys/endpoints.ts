/** The endpoint that creates the secrets with which the systems of a project sign tokens for their users. */
import { z } from 'zod';
import * as keys from '#shared/domain/access/project-keys.ts';
import { integer } from '#shared/wire/coercion.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const HOUR_SECONDS = 3600;

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/keys/generate',
    role: 'admin',
    summary:
      'Create a secret with which the project signs tokens. The secret is shown once; the previous one expires after `overlap` seconds',
    body: z.object({
      overlap: integer(0, INPUT_LIMITS.keyOverlapSeconds)
        .default(24 * HOUR_SECONDS)
        .meta({
          description:
            'Seconds until the previous secret expires; use 0 if it was compromised. At most 3 secrets are valid at a time',
        }),
    }),
    reply: z.strictObject({ jwtSecret: z.string() }),
    handle: async ({ project, actor, body: { overlap } }) => ({
      jwtSecret: await keys.generate(project, { createdBy: actor.id, overlap }),
    }),
  }),
];
