/** Loads of calls that post messages, and what they need: visitors, and a department that assigns no agents. */
import { randomUUID } from 'node:crypto';
import type { Request } from 'autocannon';
import { config } from '#shared/config.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser, VISITOR_ROLE_TYPE } from '#shared/models/project-user.ts';
import { issueToken } from '#shared/security/tokens.ts';
import { times } from '../../support/fleet-fixture.ts';
import type { Load } from './compare-servers.ts';

/** Creates visitors who have not written yet. Returns their credentials. */
export const createVisitors = async (id_project: string, count: number): Promise<string[]> => {
  const ids = times(count, () => randomUUID());
  const member = { id_project, role: 'guest', roleType: VISITOR_ROLE_TYPE, createdBy: 'bench' };
  await ProjectUser.insertMany(ids.map((uuid_user) => ({ ...member, uuid_user })));
  return ids.map((_id) => `JWT ${issueToken('guest', { _id, fullName: 'Guest' }, config.GUEST_TOKEN_TTL_SECONDS)}`);
};

/** Replaces the departments of a project with one that assigns no agents. */
export const usePooledDepartment = async (id_project: string): Promise<void> => {
  await Department.deleteMany({ id_project });
  await Department.create([{ id_project, name: 'Pooled', default: true, routing: 'pooled', createdBy: 'bench' }]);
};

/** Returns a function that returns the elements in turn. */
export const roundRobin = <T>(all: T[]) => {
  let index = 0;
  return (): T => all[index++ % all.length] as T;
};

/** Returns the path of the messages of a new conversation. */
export const newMessagesPath = (id_project: string): string =>
  `/v3/${id_project}/requests/support-group-${randomUUID()}/messages`;

/** A load of calls that each post a message. `next` returns the path and the credentials of a call. */
export const postingMessages = (next: () => { path: string; authorization: string }): Load => {
  const setupRequest = (call: Request) => {
    const { path, authorization } = next();
    return { ...call, path, headers: { 'content-type': 'application/json', authorization } };
  };
  return { method: 'POST', body: JSON.stringify({ text: 'Hello, is anybody there?' }), requests: [{ setupRequest }] };
};
