import { randomUUID } from 'node:crypto';
import { config } from '#shared/config.ts';
import { ProjectUser, VISITOR_ROLE_TYPE } from '#shared/models/project-user.ts';
import { issueToken } from '#shared/security/tokens.ts';
import { times } from '../../support/fleet-fixture.ts';

/** Creates visitors who have not written yet. Returns their credentials. */
export const createVisitors = async (id_project: string, count: number): Promise<string[]> => {
  const ids = times(count, () => randomUUID());
  const member = { id_project, role: 'guest', roleType: VISITOR_ROLE_TYPE, createdBy: 'bench' };
  await ProjectUser.insertMany(ids.map((uuid_user) => ({ ...member, uuid_user })));
  return ids.map((_id) => `JWT ${issueToken('guest', { _id, fullName: 'Guest' }, config.GUEST_TOKEN_TTL_SECONDS)}`);
};

/** Returns a function that returns the elements in turn. */
export const roundRobin = <T>(all: T[]) => {
  let index = 0;
  return (): T => all[index++ % all.length] as T;
};
