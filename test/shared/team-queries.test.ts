/** Queries for a team use indexes, so that they do not read all visitors, who share a collection with the teammates. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as members from '#shared/domain/team/membership-views.ts';
import { api } from '../support/api.ts';
import { expectIndexes, queriesDuring } from '../support/explain.ts';
import { aPerson } from '../support/people.ts';
import { aTeam } from '../support/team.ts';

const WATCHED_COLLECTIONS = [
  'project_users',
  'pending_invitations',
  'groups',
  'bots',
  'subscriptions',
  'users',
  'projects',
];
const LIST_QUERIES = ['', '?trashed=true', '?role=guest&role=user', '?status=disabled', '?presencestatus=online'];

describe('Database queries for a team', () => {
  it('every database query for a team uses an index', async () => {
    const { project, owner, admin, agent, root, list, membershipId } = await aTeam();
    const person = await aPerson();
    const ids = [await membershipId(agent), await membershipId(admin)];
    const queries = await queriesDuring(WATCHED_COLLECTIONS, async () => {
      for (const query of LIST_QUERIES) await list(query);
      for (const path of ['/me', `/users/${agent.id}`, `/${ids[0]}`]) await api(agent).get(root + path);
      await api(agent).get(`${root}/users/search?email=${owner.email}`);
      await api(agent).put(root, { user_available: false });
      for (const email of [person.email, `${randomUUID()}@example.com`])
        await api(owner).post(`${root}/invite`, { email, role: 'agent' });
      await api(owner).delete(`${root}/${ids[1]}?soft=true`);
      await api(owner).delete(`${root}/${ids[0]}?hard=true`);
      await api(owner).put(root, { role: 'agent' });
      for (const path of ['pendinginvitations', 'groups', `groups?member=${agent.id}`, 'bots', 'subscriptions'])
        await api(owner).get(`/v3/${project.id}/${path}`);
      await members.readForEvents([ids[1] as string]);
    });
    expect(new Set(queries.map(({ kind }) => kind)))
      .to.include('find')
      .and.include('findAndModify');
    await expectIndexes(queries);
  });
});
