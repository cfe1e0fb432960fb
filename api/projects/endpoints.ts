/** Projects (contract a 8.2). Fixed paths stand before `:project_id`. */
import { z } from 'zod';
import { everyProject } from '#shared/domain/projects/every-project.ts';
import * as changes from '#shared/domain/projects/project-changes.ts';
import * as removal from '#shared/domain/projects/project-removal.ts';
import * as projects from '#shared/domain/projects/projects.ts';
import { MembershipView } from '#shared/models/project-user.ts';
import { ProjectSummaryView, ProjectView } from '#shared/models/project.ts';
import { ProjectRemovalView } from '#shared/models/project-removal.ts';
import { FreeObject } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { given } from '../http/given.ts';
import { notMember } from '../http/errors.ts';
import { mustOperate } from '../http/operators.ts';
import { paged, pageOf } from '../http/paging.ts';
import { LIMITS } from '../limits.ts';
import availability from './availability.ts';
import { Banned, ProjectChanges } from './input.ts';

const PROJECT = '/v3/projects/:project_id';
const MOST = 1000;
const EVERY = paged(['createdAt', 'updatedAt', 'name'], MOST);

/** Nobody is a member of what is gone: its report is for whoever asked for the removal. */
const reportTo = async (person: string, project: string) => {
  const report = await removal.report(project);
  if (report?.requestedBy !== person) throw notMember();
  return report;
};

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
    path: '/v3/projects/all',
    role: 'user',
    summary: 'Every project of the instance, the newest first; for its operators only',
    query: EVERY,
    reply: z.array(ProjectSummaryView),
    handle: ({ actor, query }) => {
      mustOperate(actor);
      return everyProject(pageOf(query, { sortField: 'createdAt', limit: MOST }));
    },
  }),
  endpoint({
    method: 'get',
    path: PROJECT,
    role: 'agent',
    bots: 'subscriptions',
    summary: 'One project',
    reply: ProjectView,
    handle: ({ project }) => projects.read(project),
  }),
  endpoint({
    method: 'put',
    path: PROJECT,
    aliases: [{ method: 'patch' }],
    record: { in: 'projects' },
    role: 'admin',
    summary: 'Change a project; what is absent or null stays',
    body: ProjectChanges,
    reply: ProjectView,
    handle: ({ project, body, actor }) => {
      if (body.profile) mustOperate(actor);
      return changes.update(project, given(body));
    },
  }),
  endpoint({
    method: 'patch',
    path: `${PROJECT}/attributes`,
    record: { in: 'projects' },
    role: 'admin',
    summary: 'Set some attributes of a project and keep the others',
    body: FreeObject,
    reply: ProjectView,
    handle: ({ project, body }) => changes.setAttributes(project, body),
  }),
  endpoint({
    method: 'post',
    path: `${PROJECT}/ban`,
    record: { in: 'projects' },
    role: 'admin',
    summary: 'Keep a visitor out of the project',
    body: Banned,
    reply: ProjectView,
    handle: ({ project, body }) => changes.ban(project, body),
  }),
  endpoint({
    method: 'delete',
    path: `${PROJECT}/ban/:banid`,
    record: { in: 'projects' },
    role: 'admin',
    summary: 'Let a banned visitor in again',
    reply: ProjectView,
    handle: ({ project, params }) => changes.unban(project, params.banid),
  }),
  endpoint({
    method: 'delete',
    path: PROJECT,
    record: { in: 'projects' },
    role: 'owner',
    summary: 'Close a project for good; its records stay',
    reply: ProjectView,
    handle: ({ project }) => removal.disable(project),
  }),
  endpoint({
    method: 'delete',
    path: `${PROJECT}/physical`,
    record: { in: 'projects' },
    role: 'owner',
    closedToo: true,
    summary: 'Remove a project with everything in it, in the background',
    reply: ProjectRemovalView,
    handle: async ({ project, actor }) => {
      await removal.remove(project, actor.id);
      return reportTo(actor.id, project);
    },
  }),
  endpoint({
    method: 'get',
    path: `${PROJECT}/removal`,
    role: 'any',
    summary: 'The report of a removal, for whoever asked for it',
    reply: ProjectRemovalView,
    handle: ({ project, actor }) => reportTo(actor.id, project),
  }),
  ...availability,
];
