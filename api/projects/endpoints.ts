/** Project endpoints. */
import { z } from 'zod';
import { banVisitor } from '#shared/domain/conversations/ban-visitor.ts';
import { listAllProjects } from '#shared/domain/projects/list-all-projects.ts';
import * as removal from '#shared/domain/projects/project-removal.ts';
import * as projects from '#shared/domain/projects/projects.ts';
import * as projectUpdates from '#shared/domain/projects/update-project.ts';
import { ProjectSummaryView, ProjectView } from '#shared/models/project.ts';
import { ProjectRemovalView } from '#shared/models/project-removal.ts';
import { MembershipView } from '#shared/models/project-user.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { requireInstanceAdmin } from '../http/auth/instance-admins.ts';
import { endpoint } from '../http/endpoint.ts';
import { pagingQuery, parsePage } from '../http/request/paging.ts';
import { notMember } from '../http/response/errors.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import availability from './availability-endpoints.ts';
import { BannedVisitor, ProjectChanges } from './input.ts';

const PROJECT_PATH = '/v3/projects/:project_id';
const PROJECTS_PER_PAGE = 1000;
const AllProjectsQuery = pagingQuery(['createdAt', 'updatedAt', 'name'], PROJECTS_PER_PAGE);

/**
 * Returns the report on the deletion of a project. Throws 403 unless the user requested the deletion; roles cannot be
 * checked, because a deleted project has no members.
 */
const readRemovalReport = async (userId: string, project: string) => {
  const report = await removal.readRemoval(project);
  if (report?.requestedBy !== userId) throw notMember();
  return report;
};

export default [
  endpoint({
    method: 'post',
    path: '/v3/projects',
    role: 'user',
    summary: 'Create a project; the caller becomes its owner',
    body: z.object({ name: z.string().trim().min(1).max(INPUT_LIMITS.projectName) }),
    reply: ProjectView,
    handle: async ({ body, actor }) => projects.read(await projects.create(body, actor)),
  }),
  endpoint({
    method: 'get',
    path: '/v3/projects',
    role: 'user',
    summary: "List the caller's memberships with their projects, most recently updated project first",
    reply: z.array(MembershipView),
    handle: ({ actor }) => projects.listForUser(actor),
  }),
  endpoint({
    method: 'get',
    path: '/v3/projects/all',
    role: 'instance-admin',
    summary: 'List all projects of the instance, newest first (instance administrators only)',
    query: AllProjectsQuery,
    reply: z.array(ProjectSummaryView),
    handle: ({ query }) => listAllProjects(parsePage(query, { sortField: 'createdAt', limit: PROJECTS_PER_PAGE })),
  }),
  endpoint({
    method: 'get',
    path: PROJECT_PATH,
    role: 'agent',
    programs: 'subscriptions',
    summary: 'Get a project',
    reply: ProjectView,
    handle: ({ project }) => projects.read(project),
  }),
  endpoint({
    method: 'put',
    path: PROJECT_PATH,
    aliases: [{ method: 'patch' }],
    record: { collection: 'projects' },
    role: 'admin',
    summary: 'Update a project; absent and null fields are unchanged',
    body: ProjectChanges,
    reply: ProjectView,
    handle: ({ project, body, actor }) => {
      if (body.profile) requireInstanceAdmin(actor);
      return projectUpdates.update(project, omitNullish(body));
    },
  }),
  endpoint({
    method: 'patch',
    path: `${PROJECT_PATH}/attributes`,
    record: { collection: 'projects' },
    role: 'admin',
    summary: 'Merge attributes into a project',
    body: FreeObject,
    reply: ProjectView,
    handle: ({ project, body }) => projectUpdates.setAttributes(project, body),
  }),
  endpoint({
    method: 'post',
    path: `${PROJECT_PATH}/ban`,
    record: { collection: 'projects' },
    role: 'admin',
    summary: 'Ban a visitor from a project',
    body: BannedVisitor,
    reply: ProjectView,
    handle: ({ project, body }) => banVisitor(project, body),
  }),
  endpoint({
    method: 'delete',
    path: `${PROJECT_PATH}/ban/:banid`,
    record: { collection: 'projects' },
    role: 'admin',
    summary: 'Remove the ban on a visitor',
    reply: ProjectView,
    handle: ({ project, params }) => projectUpdates.unban(project, params.banid),
  }),
  endpoint({
    method: 'delete',
    path: PROJECT_PATH,
    record: { collection: 'projects' },
    role: 'owner',
    summary: 'Disable a project permanently; its records are kept',
    reply: ProjectView,
    handle: ({ project }) => removal.disable(project),
  }),
  endpoint({
    method: 'delete',
    path: `${PROJECT_PATH}/physical`,
    record: { collection: 'projects' },
    role: 'owner',
    allowDisabledProject: true,
    summary: 'Delete a project and all its records in the background',
    reply: ProjectRemovalView,
    handle: async ({ project, actor }) => {
      await removal.remove(project, actor.id);
      return readRemovalReport(actor.id, project);
    },
  }),
  endpoint({
    method: 'get',
    path: `${PROJECT_PATH}/removal`,
    role: 'any',
    summary: 'Get the report on a project deletion; only the user who requested the deletion can read it',
    reply: ProjectRemovalView,
    handle: ({ project, actor }) => readRemovalReport(actor.id, project),
  }),
  ...availability,
];
