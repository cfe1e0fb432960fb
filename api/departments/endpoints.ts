/** Departments (contract 4.5, b 6). */
import { z } from 'zod';
import { isTeam } from '#shared/domain/conversations/requests.ts';
import * as changes from '#shared/domain/team/department-changes.ts';
import * as departments from '#shared/domain/team/departments.ts';
import { DepartmentView, PublicDepartmentView } from '#shared/models/department.ts';
import { endpoint } from '../http/endpoint.ts';
import { LIMITS } from '../limits.ts';
import serving from './serving.ts';
import { asNew, asPatch, asPut, DepartmentChange, NewDepartment } from './input.ts';

const ROOT = '/v3/:project_id/departments';
const ONE = `${ROOT}/:department_id`;

/** Whole for those who work for the project; nobody else sees who serves where (decision 7). */
const AnyDepartment = z.union([DepartmentView, PublicDepartmentView]);

const Sorted = z.object({
  sort: z.string().max(LIMITS.name).optional().meta({ description: 'With any value: by name' }),
});

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'none',
    summary: 'The departments to which visitors can turn; teammates see all of them',
    query: Sorted,
    reply: z.array(AnyDepartment),
    handle: ({ project, query: { sort }, actor }) =>
      departments.list(project, { whole: isTeam(actor), byName: Boolean(sort) }),
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/allstatus`,
    role: 'agent',
    bots: true,
    summary: 'The departments, those that visitors do not see too',
    query: Sorted,
    reply: z.array(DepartmentView),
    handle: ({ project, query: { sort } }) => departments.listAll(project, Boolean(sort)),
  }),
  endpoint({
    method: 'get',
    path: ONE,
    role: 'none',
    summary: 'One department by its id, or `default`',
    reply: AnyDepartment,
    handle: ({ project, params, actor }) => departments.read(project, params.department_id, { whole: isTeam(actor) }),
  }),
  ...serving,
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'admin',
    summary: 'Make a department',
    body: NewDepartment,
    reply: DepartmentView,
    handle: ({ project, body, actor }) => changes.create(project, asNew(body), actor.id),
  }),
  endpoint({
    method: 'put',
    path: ONE,
    record: { in: 'departments', by: 'department_id' },
    role: 'admin',
    summary: 'Change a department; a bot or groups that are not named are taken away',
    body: DepartmentChange,
    reply: DepartmentView,
    handle: ({ project, params, body }) =>
      changes.update({ id_project: project, _id: params.department_id }, asPut(body)),
  }),
  endpoint({
    method: 'patch',
    path: ONE,
    record: { in: 'departments', by: 'department_id' },
    role: 'admin',
    summary: 'Change what is given of a department; an empty text or list takes its bot or groups away',
    body: DepartmentChange,
    reply: DepartmentView,
    handle: ({ project, params, body }) =>
      changes.update({ id_project: project, _id: params.department_id }, asPatch(body)),
  }),
  endpoint({
    method: 'delete',
    path: ONE,
    record: { in: 'departments', by: 'department_id' },
    role: 'admin',
    summary: 'Delete a department; its open conversations go to the default one',
    reply: DepartmentView,
    errors: { 409: 'It is the default department' },
    handle: ({ project, params }) => changes.remove({ id_project: project, _id: params.department_id }),
  }),
];
