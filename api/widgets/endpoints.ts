/** Endpoints that the web widget calls before the visitor signs in. */
import { z } from 'zod';
import { bootstrap } from '#shared/domain/availability/widget.ts';
import { PublicDepartmentView } from '#shared/models/department.ts';
import { PublicProjectView } from '#shared/models/project.ts';
import { endpoint } from '../http/endpoint.ts';

const BASE_PATH = '/v3/:project_id/widgets';
const CACHE_SECONDS = 30;

/** The reply. It is public, so it contains only the fields of these views. */
const BootstrapView = z.strictObject({
  project: PublicProjectView,
  user_available: z.array(z.strictObject({ id: z.string(), firstname: z.string() })),
  departments: z.array(PublicDepartmentView),
  ip: z.string().meta({ description: 'IP address of the caller' }),
  botsRules: z.array(z.unknown()),
});

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'none',
    summary: 'Get what the web widget needs to start: the project, its available teammates and its departments',
    reply: BootstrapView,
    cacheSeconds: CACHE_SECONDS,
    handle: async ({ params, ip }) => ({ ...(await bootstrap(params.project_id)), ip }),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/ip`,
    role: 'none',
    summary: 'Get the IP address of the caller',
    reply: z.strictObject({ ip: z.string(), ipStandard: z.string(), parseIp: z.string() }),
    handle: async ({ ip }) => ({ ip, ipStandard: ip, parseIp: ip }),
  }),
];
