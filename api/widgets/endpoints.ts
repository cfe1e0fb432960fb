/** What a web client needs before anybody has signed in (contract a 9.1). */
import { z } from 'zod';
import { bootstrap } from '#shared/domain/projects/widget.ts';
import { PublicDepartmentView } from '#shared/models/department.ts';
import { PublicProjectView } from '#shared/models/project.ts';
import { endpoint } from '../http/endpoint.ts';

const ROOT = '/v3/:project_id/widgets';
const KEEP_SECONDS = 30;

/** Everything that leaves here: whatever is not in these Views, nobody sees. */
const BootstrapView = z.strictObject({
  project: PublicProjectView,
  user_available: z.array(z.strictObject({ id: z.string(), firstname: z.string() })),
  departments: z.array(PublicDepartmentView),
  ip: z.string().meta({ description: "The caller's address" }),
  botsRules: z.array(z.unknown()),
});

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'none',
    summary: 'Start of a web client: the project, who is there, where to turn to',
    reply: BootstrapView,
    keepFor: KEEP_SECONDS,
    handle: async ({ params, ip }) => ({ ...(await bootstrap(params.project_id)), ip }),
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/ip`,
    role: 'none',
    summary: "The caller's address",
    reply: z.strictObject({ ip: z.string(), ipStandard: z.string(), parseIp: z.string() }),
    handle: async ({ ip }) => ({ ip, ipStandard: ip, parseIp: ip }),
  }),
];
