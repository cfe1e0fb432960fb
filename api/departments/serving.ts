/** Who serves a department, and whom it would give the next conversations to (contract b 6.3). */
import { z } from 'zod';
import { flag, integer } from '#shared/lenient.ts';
import * as dryRuns from '#shared/domain/routing/dry-runs.ts';
import { operatorsOf } from '#shared/domain/routing/operators.ts';
import { ArrivalView } from '#shared/models/decision.ts';
import { DepartmentView } from '#shared/models/department.ts';
import { GroupView } from '#shared/models/group.ts';
import { ProjectView } from '#shared/models/project.ts';
import { ChangedTeammateView } from '#shared/models/project-user.ts';
import { endpoint } from '../http/endpoint.ts';
import { LIMITS } from '../limits.ts';

const ONE = '/v3/:project_id/departments/:department_id';

const OperatorsView = z.strictObject({
  department: DepartmentView,
  agents: z.array(ChangedTeammateView).meta({ description: 'The teammates among whom is chosen' }),
  available_agents: z.array(ChangedTeammateView).meta({ description: 'Those who are there now' }),
  operators: z
    .array(z.union([ChangedTeammateView, z.strictObject({ id_user: z.string() })]))
    .meta({ description: 'Who would be given a conversation: a teammate, a bot, or nobody' }),
  id_bot: z.string().optional(),
  group: z.array(GroupView).optional(),
  id_project: z.string().optional(),
  available_agents_request: z
    .array(
      z.strictObject({
        project_user: ChangedTeammateView,
        openRequestsCount: z.number(),
        openRequetsCount: z.number().meta({ description: 'The same, as known clients spell it' }),
      }),
    )
    .optional(),
  project: ProjectView.optional(),
});

export default [
  endpoint({
    method: 'get',
    path: `${ONE}/operators`,
    role: 'agent',
    bots: true,
    summary: 'Who serves a department, and who would be given a conversation now',
    query: z.object({
      nobot: z.string().max(LIMITS.name).optional().meta({ description: 'With any value: as if it had no bot' }),
      disableWebHookCall: z
        .string()
        .max(LIMITS.name)
        .optional()
        .meta({ description: '`true`: as if nobody had a limit' }),
    }),
    reply: OperatorsView,
    handle: ({ project, params, query }) => {
      const asked = { nobot: Boolean(query.nobot), unlimited: query.disableWebHookCall === 'true' };
      return operatorsOf(project, params.department_id, asked);
    },
  }),
  endpoint({
    method: 'post',
    path: `${ONE}/routing`,
    role: 'agent',
    bots: true,
    summary: 'A dry run: who would be given each of the next conversations, and why; nothing is written',
    body: z.object({
      requests: integer(1, LIMITS.dryRun).nullish().meta({ description: 'How many arrive; 1' }),
      nobot: flag().nullish().meta({ description: '`true`: as if it had no bot' }),
    }),
    reply: z.strictObject({ department: z.string(), arrivals: z.array(ArrivalView) }),
    handle: ({ project, params, body }) =>
      dryRuns.run(project, params.department_id, { requests: body.requests ?? 1, nobot: body.nobot ?? false }),
  }),
];
