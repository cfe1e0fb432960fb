/** Department endpoints. */
import { z } from 'zod';
import { isTeam } from '#shared/domain/conversations/conversation.ts';
import * as departments from '#shared/domain/departments/departments.ts';
import * as departmentWrites from '#shared/domain/departments/manage-departments.ts';
import { DepartmentView, PublicDepartmentView } from '#shared/models/department.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import agents from './department-agents.ts';
import { DepartmentChange, NewDepartment, toNewDepartment, toPatchUpdate, toPutUpdate } from './input.ts';

const BASE_PATH = '/v3/:project_id/departments';
const RECORD_PATH = `${BASE_PATH}/:department_id`;

/** `DepartmentView` is for the team. Visitors do not see which groups and bots serve a department. */
const DepartmentReply = z.union([DepartmentView, PublicDepartmentView]);

const SortQuery = z.object({
  sort: z.string().max(INPUT_LIMITS.name).optional().meta({ description: 'Any value: sort the departments by name' }),
});

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'none',
    summary: 'List the departments that visitors can contact. Teammates get more fields than visitors',
    query: SortQuery,
    reply: z.array(DepartmentReply),
    handle: ({ project, query: { sort }, actor }) =>
      departments.list(project, { detailed: isTeam(actor), byName: Boolean(sort) }),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/allstatus`,
    role: 'agent',
    programs: 'all',
    summary: 'List the departments, including those hidden from visitors',
    query: SortQuery,
    reply: z.array(DepartmentView),
    handle: ({ project, query: { sort } }) => departments.listAll(project, Boolean(sort)),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    role: 'none',
    summary: 'Get a department by its id. The id `default` stands for the default department',
    reply: DepartmentReply,
    handle: ({ project, params, actor }) =>
      departments.read(project, params.department_id, { detailed: isTeam(actor) }),
  }),
  ...agents,
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'admin',
    summary: 'Create a department',
    body: NewDepartment,
    reply: DepartmentView,
    handle: ({ project, body, actor }) => departmentWrites.create(project, toNewDepartment(body), actor.id),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    record: { collection: 'departments', parameter: 'department_id' },
    role: 'admin',
    summary:
      'Update a department. The bot and the groups are removed if the body lacks them; other absent fields remain unchanged',
    body: DepartmentChange,
    reply: DepartmentView,
    handle: ({ project, params, body }) =>
      departmentWrites.update({ id_project: project, _id: params.department_id }, toPutUpdate(body)),
  }),
  endpoint({
    method: 'patch',
    path: RECORD_PATH,
    record: { collection: 'departments', parameter: 'department_id' },
    role: 'admin',
    summary: 'Update the given fields of a department. An empty string or list removes the bot or groups',
    body: DepartmentChange,
    reply: DepartmentView,
    handle: ({ project, params, body }) =>
      departmentWrites.update({ id_project: project, _id: params.department_id }, toPatchUpdate(body)),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record: { collection: 'departments', parameter: 'department_id' },
    role: 'admin',
    summary: 'Delete a department; its open conversations move to the default department',
    reply: DepartmentView,
    errors: { 409: 'The department is the default department' },
    handle: ({ project, params }) => departmentWrites.remove({ id_project: project, _id: params.department_id }),
  }),
];
