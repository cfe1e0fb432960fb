/** Who is there and when (contract a 8.4 and 8.5): open to visitors without credentials (decision 7). */
import { z } from 'zod';
import * as availability from '#shared/domain/projects/availability.ts';
import * as changes from '#shared/domain/projects/project-changes.ts';
import { endpoint } from '../http/endpoint.ts';
import { LIMITS } from '../limits.ts';
import { Widget } from './input.ts';

const PROJECT = '/v3/projects/:project_id';

/** A teammate as visitors see it. */
const AvailableView = z.strictObject({
  id: z.string(),
  pu_id: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  fullname: z.string(),
  assigned_request: z.number().meta({ description: 'Open conversations' }),
});

export default [
  endpoint({
    method: 'get',
    path: `${PROJECT}/isopen`,
    role: 'none',
    summary: 'Whether a project, or one of its time slots, is open',
    query: z.object({
      timeSlot: z
        .string()
        .max(LIMITS.settingText)
        .optional()
        .meta({ description: 'The id of a time slot, instead of the project itself' }),
      at: z.iso.datetime({ offset: true }).optional().meta({ description: 'A moment other than now' }),
    }),
    reply: z.strictObject({ isopen: z.boolean() }),
    handle: async ({ params, query: { timeSlot, at } }) => {
      const when = { timeSlot, at: at ? new Date(at) : new Date() };
      return { isopen: await availability.isOpenById(params.project_id, when) };
    },
  }),
  endpoint({
    method: 'get',
    path: `${PROJECT}/users/availables`,
    role: 'none',
    summary: 'Teammates who can take a conversation now',
    errors: { 403: 'Every group that serves the department is disabled' },
    query: z.object({
      raw: z.string().optional().meta({ description: '`true`: whatever the operating hours say' }),
      department: z.string().optional().meta({ description: 'Only those who serve this department' }),
    }),
    reply: z.array(AvailableView),
    handle: ({ params, query: { raw, department } }) =>
      availability.availables(params.project_id, { raw: raw === 'true', department }),
  }),
  endpoint({
    method: 'put',
    path: `${PROJECT}/availables`,
    record: { in: 'projects' },
    role: 'agent',
    summary: "Replace the widget's settings; its HTML is sanitised",
    body: z.object({ widget: Widget }),
    reply: z.strictObject({ widget: z.record(z.string(), z.unknown()) }),
    handle: async ({ project, body }) => {
      const { widget = {} } = await changes.update(project, body);
      return { widget };
    },
  }),
];
