/** Endpoints for the former settings of knowledge bases, which old dashboards still use. */
import { z } from 'zod';
import * as settings from '#shared/domain/knowledge/kb-settings.ts';
import { Id } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { WebAddress } from '../kb/content-input.ts';

const BASE_PATH = '/v3/:project_id/kbsettings';
const access = { role: 'admin', programs: 'all' } as const;

const KbSettingsView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  maxKbsNumber: z.number(),
  maxPagesNumber: z.number(),
  kbs: z.array(z.strictObject({ _id: Id, name: z.string(), url: z.string(), status: z.number() })),
});

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'agent',
    programs: 'all',
    summary: 'Get the former settings: the pages of the default knowledge base',
    reply: KbSettingsView,
    handle: ({ project }) => settings.read(project),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    ...access,
    summary: 'Get the former settings, like GET: they always exist, so this call creates nothing',
    body: z.object({}),
    reply: KbSettingsView,
    handle: ({ project }) => settings.read(project),
  }),
  endpoint({
    method: 'put',
    path: `${BASE_PATH}/:settings_id`,
    ...access,
    summary: 'Store the API key of the `openai` integration',
    body: z.object({ gptkey: z.string().trim().min(1).max(INPUT_LIMITS.settingText) }),
    reply: KbSettingsView,
    handle: ({ project, params, body }) => settings.saveKey(project, params.settings_id, body.gptkey),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/:settings_id`,
    ...access,
    summary: 'Add a page to the default knowledge base',
    body: z.object({ name: z.string().trim().min(1).max(INPUT_LIMITS.kbName), url: WebAddress }),
    reply: KbSettingsView,
    handle: ({ project, params, body }) => settings.addPage(project, params.settings_id, body),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:settings_id/:content_id`,
    ...access,
    summary: 'Remove a page from the default knowledge base',
    reply: KbSettingsView,
    handle: ({ project, params }) => settings.removePage(project, params.settings_id, params.content_id),
  }),
];
