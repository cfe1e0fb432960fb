/** Endpoints that list the agents of a department and simulate its routing. */
import { z } from 'zod';
import { readSelectedAgents } from '#shared/domain/conversations/assignment/select-operators.ts';
import { runDryRun } from '#shared/domain/routing/simulation.ts';
import { DepartmentView } from '#shared/models/department.ts';
import { GroupView } from '#shared/models/group.ts';
import { ProjectView } from '#shared/models/project.ts';
import { TeammateUpdatedView } from '#shared/models/project-user.ts';
import { SimulatedDecisionView } from '#shared/models/routing-decision.ts';
import { flag, integer } from '#shared/wire/coercion.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const DEPARTMENT_PATH = '/v3/:project_id/departments/:department_id';

const DepartmentAgentsView = z.strictObject({
  department: DepartmentView,
  agents: z.array(TeammateUpdatedView).meta({ description: 'Agents who serve the department' }),
  available_agents: z.array(TeammateUpdatedView).meta({ description: 'Agents who are available now' }),
  operators: z
    .array(z.union([TeammateUpdatedView, z.strictObject({ id_user: z.string() })]))
    .meta({ description: 'The agent or bot that would get a conversation now; empty if none' }),
  id_bot: z.string().optional(),
  group: z.array(GroupView).optional(),
  id_project: z.string().optional(),
  available_agents_request: z
    .array(
      z.strictObject({
        project_user: TeammateUpdatedView,
        openRequestsCount: z.number(),
        openRequetsCount: z
          .number()
          .meta({ description: 'Same as `openRequestsCount`, in the spelling that deployed clients rely on' }),
      }),
    )
    .optional(),
  project: ProjectView.optional(),
});

export default [
  endpoint({
    method: 'get',
    path: `${DEPARTMENT_PATH}/operators`,
    role: 'agent',
    programs: 'all',
    summary: 'List the agents of a department and show who would get a conversation now',
    query: z.object({
      nobot: z
        .string()
        .max(INPUT_LIMITS.name)
        .optional()
        .meta({ description: 'Any value: ignore the bot of the department' }),
      disableWebHookCall: z.string().max(INPUT_LIMITS.name).optional().meta({
        description:
          '`true`: ignore the limits on open conversations, and do not call the subscriptions to `operator.select`',
      }),
    }),
    reply: DepartmentAgentsView,
    handle: ({ project, params, query }) => {
      const options = { nobot: Boolean(query.nobot), unlimited: query.disableWebHookCall === 'true' };
      return readSelectedAgents(project, params.department_id, options);
    },
  }),
  endpoint({
    method: 'post',
    path: `${DEPARTMENT_PATH}/routing`,
    role: 'agent',
    programs: 'all',
    summary: 'Simulate routing: show who would get each of the next conversations and why. Nothing is stored',
    body: z.object({
      requests: integer(1, INPUT_LIMITS.simulatedArrivals)
        .nullish()
        .meta({ description: 'Number of new conversations to simulate; default 1' }),
      nobot: flag().nullish().meta({ description: '`true`: ignore the bot of the department' }),
    }),
    reply: z.strictObject({ department: z.string(), arrivals: z.array(SimulatedDecisionView) }),
    handle: ({ project, params, body }) =>
      runDryRun(project, params.department_id, { requests: body.requests ?? 1, nobot: body.nobot ?? false }),
  }),
];
