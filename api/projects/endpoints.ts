/** Projects (contract a 8.2). Fixed paths stand before `:project_id`. */
import { z } from 'zod';
import * as projects from '#shared/domain/projects.ts';
import { MembershipView } from '#shared/models/project-user.ts';
import { ProjectView } from '#shared/models/project.ts';
import { endpoint } from '../http/endpoint.ts';
import { LIMITS } from '../limits.ts';

export default [
  endpoint({
    method: 'post',
    path: '/v3/projects',
    role: 'user',
    summary: 'Make a project; the caller owns it',
    body: z.object({ name: z.string().trim().min(1).max(LIMITS.projectName) }),
    reply: ProjectView,
    handle: async ({ body, actor }) => projects.read(await projects.create(body, actor)),
  }),
  endpoint({
    method: 'get',
    path: '/v3/projects',
    role: 'user',
    summary: "The caller's memberships, each with its project, last changed project first",
    reply: z.array(MembershipView),
    handle: ({ actor }) => projects.of(actor),
  }),
  endpoint({
    method: 'get',
    path: '/v3/projects/:project_id',
    role: 'agent',
    summary: 'One project',
    reply: ProjectView,
    handle: ({ project }) => projects.read(project),
  }),
];
