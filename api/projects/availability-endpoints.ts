/** Endpoints for the widget settings, and public endpoints for the operating hours and the available teammates. */
import { z } from 'zod';
import * as availability from '#shared/domain/availability/availability.ts';
import * as projectUpdates from '#shared/domain/projects/update-project.ts';
import { currentTime } from '#shared/time/clock.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { WidgetSettings } from './input.ts';

const PROJECT_PATH = '/v3/projects/:project_id';

/** The public view of an available teammate. */
const AvailableTeammateView = z.strictObject({
  id: z.string(),
  pu_id: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  fullname: z.string(),
  assigned_request: z.number().meta({ description: 'Number of open conversations' }),
});

export default [
  endpoint({
    method: 'get',
    path: `${PROJECT_PATH}/isopen`,
    role: 'none',
    summary: 'Check whether a project or one of its time slots is open',
    query: z.object({
      timeSlot: z.string().max(INPUT_LIMITS.settingText).optional().meta({
        description: 'Id of a time slot, which has hours of its own; default: the operating hours of the project',
      }),
      at: z.iso.datetime({ offset: true }).optional().meta({ description: 'Time to check; default: now' }),
    }),
    reply: z.strictObject({ isopen: z.boolean() }),
    handle: async ({ params, query: { timeSlot, at } }) => {
      const options = { timeSlot, at: at ? new Date(at) : currentTime() };
      return { isopen: await availability.isOpenById(params.project_id, options) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${PROJECT_PATH}/users/availables`,
    role: 'none',
    summary: 'List the teammates who can take a conversation now',
    errors: { 403: 'Every group that serves the department is disabled' },
    query: z.object({
      raw: z.string().optional().meta({ description: '`true`: ignore the operating hours' }),
      department: z.string().optional().meta({ description: 'Id of a department: only teammates who serve it' }),
    }),
    reply: z.array(AvailableTeammateView),
    handle: ({ params, query: { raw, department } }) =>
      availability.listAvailableAgents(params.project_id, { raw: raw === 'true', department }),
  }),
  endpoint({
    method: 'put',
    path: `${PROJECT_PATH}/availables`,
    record: { collection: 'projects' },
    role: 'agent',
    summary: 'Replace the widget settings; HTML in them is sanitized',
    body: z.object({ widget: WidgetSettings }),
    reply: z.strictObject({ widget: z.record(z.string(), z.unknown()) }),
    handle: async ({ project, body }) => {
      const { widget = {} } = await projectUpdates.update(project, body);
      return { widget };
    },
  }),
];
