/** Endpoints for a project's accounts with other services. */
import { z } from 'zod';
import * as integrations from '#shared/domain/integrations/integrations.ts';
import { IntegrationView } from '#shared/models/integration.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BASE_PATH = '/v3/:project_id/integration';
const access = { role: 'admin', programs: 'all' } as const;
const record = { collection: 'integrations', parameter: 'integration_id' } as const;

const Name = z.string().trim().min(1).max(INPUT_LIMITS.name);
const Value = FreeObject.meta({
  description:
    'Settings, such as `apikey`, `url` or `servers`. Fields whose names end in `apikey`, `api_key`, `private_key`, `secret`, `token`, `password`, `authorization` or `credentials` are stored encrypted, and returned empty. If such a field is sent empty, its stored value is kept',
});

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    ...access,
    summary: 'List the integrations of a project, without their keys',
    reply: z.array(IntegrationView),
    handle: ({ project }) => integrations.list(project),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:integration_id`,
    ...access,
    summary: 'Get an integration',
    reply: IntegrationView,
    handle: ({ project, params }) => integrations.find(project, params.integration_id),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/name/:name`,
    ...access,
    summary: 'Get the integration with this name, or the text `Integration not found`',
    reply: z.union([IntegrationView, z.literal('Integration not found')]),
    handle: async ({ project, params }) =>
      (await integrations.findByName(project, params.name)) ?? ('Integration not found' as const),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    ...access,
    summary: 'Create an integration, or replace the settings of the integration with the same name',
    body: z.object({ name: Name, value: Value }),
    reply: IntegrationView,
    handle: ({ project, body }) => integrations.save(project, body),
  }),
  endpoint({
    method: 'put',
    path: `${BASE_PATH}/:integration_id`,
    record,
    ...access,
    summary: 'Replace the settings of an integration',
    body: z.object({ value: Value }),
    reply: IntegrationView,
    handle: ({ project, params, body }) => integrations.update(project, params.integration_id, body.value),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:integration_id`,
    record,
    ...access,
    summary: 'Delete an integration with its keys',
    reply: z.strictObject({ success: z.literal(true), messages: z.string() }),
    handle: async ({ project, params }) => {
      await integrations.remove(project, params.integration_id);
      return { success: true as const, messages: 'Integration deleted successfully' };
    },
  }),
];
