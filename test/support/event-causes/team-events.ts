/** The events of projects, teammates, departments, groups and leads. */
import { randomUUID } from 'node:crypto';
import { aPerson, aTeammate, aVisitor } from '../people.ts';
import { membershipOf, openConversation } from './conversations.ts';
import type { EventCause } from './scene.ts';

const unique = (name: string): string => `${name} ${randomUUID()}`;

export const teamEvents: EventCause[] = [
  {
    operation: 'a person creates and deletes a project',
    events: ['project.create', 'project.delete'],
    projectOf: ({ _id }) => String(_id),
    cause: async ({ call, owner }) => {
      const { _id } = await call(owner, 'POST', '/v3/projects', { name: 'Other' });
      await call(owner, 'DELETE', `/v3/projects/${_id}`);
      const project = { _id, name: 'Other', createdBy: owner.id };
      return { 'project.create': { ...project, id_project: _id }, 'project.delete': { ...project, id_project: _id } };
    },
  },
  {
    operation: 'an owner renames the project, bans a visitor and lifts the ban',
    events: ['project.update', 'project.update.user.ban', 'project.update.user.unban'],
    cause: async ({ call, owner, project }) => {
      const path = `/v3/projects/${project}`;
      await call(owner, 'PUT', path, { name: 'Renamed' });
      const banned = (await aVisitor(project)).id;
      const { bannedUsers } = await call(owner, 'POST', `${path}/ban`, { id: banned, ip: '192.0.2.7' });
      await call(owner, 'DELETE', `${path}/ban/${bannedUsers[0]._id}`);
      const ban = { banInfo: { id: banned, ip: '192.0.2.7' }, project: { _id: project } };
      return {
        'project.update': { _id: project, name: 'Renamed', id_project: project },
        'project.update.user.ban': ban,
        'project.update.user.unban': ban,
      };
    },
  },
  {
    operation: 'an owner invites a person with an account, and an address without one',
    events: ['project_user.invite', 'project_user.invite.pending'],
    cause: async ({ call, owner }) => {
      const { id, email } = await aPerson({ emailverified: true });
      await call(owner, 'POST', 'project_users/invite', { email, role: 'agent' });
      const unknown = `${randomUUID()}@example.com`;
      await call(owner, 'POST', 'project_users/invite', { email: unknown, role: 'admin' });
      return {
        'project_user.invite': { role: 'agent', isBusy: false, id_user: { _id: id, email, firstname: 'Ann' } },
        'project_user.invite.pending': { email: unknown, role: 'admin' },
      };
    },
  },
  {
    operation: 'a teammate becomes unavailable',
    events: ['project_user.update', 'project_user.update.agent', 'project_user.updated'],
    cause: async (scene) => {
      const { call, owner, project } = scene;
      const teammate = await aTeammate(project, 'agent');
      const _id = await membershipOf(scene, teammate);
      await call(owner, 'PUT', `project_users/${_id}`, { user_available: false });
      const member = {
        ...{ _id, user_available: false, isBusy: false, role: 'agent', presence: scene.offline },
        id_user: { _id: teammate.id, email: teammate.email, firstname: 'Ann', lastname: 'Lee' },
      };
      return {
        'project_user.update': member,
        'project_user.update.agent': member,
        'project_user.updated': { project_user: member, patch: { user_available: false } },
      };
    },
  },
  {
    operation: 'an owner adds and changes a visitor, and deletes a teammate',
    events: ['projectuser.create', 'project_user.update.user', 'project_user.delete'],
    cause: async (scene) => {
      const { call, owner, project } = scene;
      const { _id } = await call(owner, 'POST', 'project_users', {});
      await call(owner, 'PUT', `project_users/${_id}`, { tags: [{ tag: 'vip' }] });
      const deleted = await membershipOf(scene, await aTeammate(project, 'agent'));
      await call(owner, 'DELETE', `project_users/${deleted}?soft=true`);
      return {
        'projectuser.create': { _id, roleType: 2 },
        'project_user.update.user': { _id, tags: [{ tag: 'vip' }] },
        'project_user.delete': { _id: deleted, trashed: true, status: 'disabled', deleteType: 'soft' },
      };
    },
  },
  {
    operation: 'an owner creates, renames and deletes a department',
    events: ['department.create', 'department.update', 'department.delete'],
    cause: async ({ call, owner }) => {
      const [name, renamed] = [unique('Sales'), unique('Support')];
      const { _id } = await call(owner, 'POST', 'departments', { name });
      await call(owner, 'PUT', `departments/${_id}`, { name: renamed });
      await call(owner, 'DELETE', `departments/${_id}`);
      return {
        'department.create': { _id },
        'department.update': { _id },
        'department.delete': { _id, name: renamed },
      };
    },
  },
  {
    operation: 'an owner creates, renames and deletes a group',
    events: ['group.create', 'group.update', 'group.delete'],
    cause: async ({ call, owner, agent }) => {
      const { _id } = await call(owner, 'POST', 'groups', { name: unique('Group'), members: [agent.id] });
      await call(owner, 'PUT', `groups/${_id}`, { name: unique('Renamed') });
      await call(owner, 'DELETE', `groups/${_id}?force=true`);
      const group = { _id, members: [agent.id] };
      return { 'group.create': { _id }, 'group.update': { _id }, 'group.delete': group };
    },
  },
  {
    operation: 'an agent renames the lead of a conversation',
    events: ['request.update.snapshot.lead'],
    cause: async (scene) => {
      const { lead } = (await openConversation(scene)).message.request;
      const fullname = unique('Eve');
      await scene.call(scene.owner, 'PUT', `leads/${lead._id}`, { fullname });
      return { 'request.update.snapshot.lead': { lead: { _id: lead._id, fullname }, updates: { ok: 1 } } };
    },
  },
  {
    operation: 'an owner changes the name and the email address of a lead, and deletes another lead',
    events: ['lead.update', 'lead.fullname.update', 'lead.email.update', 'lead.fullname.email.update', 'lead.delete'],
    cause: async ({ call, owner }) => {
      const { _id } = await call(owner, 'POST', 'leads', { fullname: 'Bob' });
      const fields = { fullname: 'Bob Stone', email: `${randomUUID()}@example.com` };
      await call(owner, 'PUT', `leads/${_id}`, fields);
      const other = await call(owner, 'POST', 'leads', { fullname: 'Deleted' });
      await call(owner, 'DELETE', `leads/${other._id}/physical`);
      const lead = { _id, ...fields };
      return {
        ...{ 'lead.update': lead, 'lead.fullname.update': lead, 'lead.email.update': lead },
        ...{ 'lead.fullname.email.update': lead, 'lead.delete': { _id: other._id, fullname: 'Deleted' } },
      };
    },
  },
];
