/** Teammates, projects and sign-in as deployed clients use them, in both wire profiles. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { emitPendingLoads } from '#shared/domain/routing/reservations.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { recordActivities } from '../support/activities.ts';
import { api, type Caller } from '../support/api.ts';
import { bothProfiles } from '../support/both-profiles.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject } from '../support/people.ts';
import { aProjectKey, customClaims, forgeToken, withToken } from '../support/tokens.ts';
import { waitUntil } from '../support/wait-until.ts';

type Json = ReturnType<typeof JSON.parse>;

const payloadsOf = async (project: string, event: string): Promise<Json[]> =>
  (await relayedChanges(project)).filter((change) => change.event === event).map(({ payload }) => payload);

describe('Teammates, projects and sign-in through deployed clients', () => {
  const { each } = bothProfiles();

  it('signinWithCustomToken with id_project accepts only tokens that are valid in that project', () =>
    each(async (send) => {
      const [{ project, agent, guest }, other] = await Promise.all([aProject(), aProject()]);
      const signIn = (as: Caller, id_project: string) =>
        send({ client: 'widget', method: 'POST', path: '/v3/auth/signinWithCustomToken', as, body: { id_project } });
      for (const caller of [guest, agent]) {
        const { status, body } = await signIn(caller, project.id);
        expect({ status, token: body.token }).to.deep.equal({ status: 200, token: caller.authorization });
        expect(body.user._id).to.equal(caller.id);
        expect((await signIn(caller, other.project.id)).status).to.equal(403);
      }
      const own = withToken(forgeToken(customClaims(project.id), { secret: await aProjectKey(project.id) }));
      expect((await signIn(own, other.project.id)).status).to.equal(422);
      expect((await signIn(own, project.id)).status).to.equal(200);
    }));

  it('the list of projects contains the complete memberships of the caller', () =>
    each(async (send, profile) => {
      const { project, agent } = await aProject();
      const path = `/v3/${project.id}/project_users`;
      const change = { profileStatus: 'lunch', tags: [{ tag: 'vip', color: '#f00' }] };
      await send({ client: 'dashboard', method: 'PUT', path, as: agent, body: change });
      const { body } = await send({ client: 'app', method: 'GET', path: '/v3/projects', as: agent });
      expect(body).to.have.lengthOf(1);
      const [member] = body;
      expect(member).to.deep.include({
        profileStatus: 'lunch',
        permissions: [],
        isAuthenticated: true,
        id_user: agent.id,
      });
      expect(member.tags[0]).to.include({ tag: 'vip' });
      expect(member.presence).to.equal(profile === 'deployed-clients' ? undefined : 'offline');
      expect(member.id_project).to.include({ _id: project.id, name: 'Project' });
    }));

  it('an availability change with availabilityInitiator "system" is emitted with this field and recorded as made by the system', () =>
    each(async (send) => {
      const { project, agent, admin } = await aProject();
      const path = `/v3/${project.id}/project_users`;
      const set = (user_available: boolean, more = {}) =>
        send({ client: 'dashboard', method: 'PUT', path, as: agent, body: { user_available, ...more } });
      expect((await set(false, { availabilityInitiator: 'system' })).status).to.equal(200);
      await set(true);
      const payloads = await payloadsOf(project.id, 'project_user.updated');
      expect(payloads.map(({ availabilityInitiator }) => availabilityInitiator)).to.deep.equal(['system', undefined]);
      await recordActivities(project.id);
      const { body } = await api(admin).get(`/v3/${project.id}/activities?direction=1`);
      const verbs = body.activities.map(({ verb }: { verb: string }) => verb);
      expect(verbs).to.deep.equal(['PROJECT_USER_AVAILABILITY_SYSTEM', 'PROJECT_USER_AVAILABILITY_SELF']);
    }));

  it("changes to a teammate's load are emitted as project_user.update at most once per second, and the last event contains the final load", () =>
    each(async (send) => {
      const { project, owner, agent } = await aProject();
      await ProjectUser.updateMany({ id_project: project.id }, { user_available: false });
      const openings = Array.from({ length: 6 }, () => {
        const path = `/v3/${project.id}/requests/support-group-${randomUUID()}/messages`;
        const body = { text: 'Yours', participants: [agent.id] };
        return send({ client: 'library', method: 'POST', path, as: owner, body });
      });
      for (const { status } of await Promise.all(openings)) expect(status).to.equal(200);
      const readLoads = async (): Promise<number[]> =>
        (await payloadsOf(project.id, 'project_user.update'))
          .filter(({ id_user }) => String(id_user._id) === agent.id)
          .map(({ number_assigned_requests }) => number_assigned_requests);
      await waitUntil(async () => {
        await emitPendingLoads();
        return (await readLoads()).at(-1) === 6;
      });
      expect((await readLoads()).length).to.be.lessThan(6);
    }));

  it('an anonymous sign-in and the first custom-token sign-in emit projectuser.create; a second custom-token sign-in does not', () =>
    each(async (send) => {
      const { project } = await aProject();
      const before = (await payloadsOf(project.id, 'projectuser.create')).length;
      const body = { id_project: project.id, firstname: 'Vi' };
      const { body: anonymous } = await send({
        client: 'widget',
        method: 'POST',
        path: '/v3/auth/signinAnonymously',
        body,
      });
      const own = withToken(forgeToken(customClaims(project.id), { secret: await aProjectKey(project.id) }));
      for (const _ of [1, 2])
        await send({ client: 'widget', method: 'POST', path: '/v3/auth/signinWithCustomToken', as: own });
      const created = (await payloadsOf(project.id, 'projectuser.create')).slice(before);
      expect(created.map(({ role, roleType }) => [role, roleType])).to.deep.equal([
        ['guest', 2],
        ['user', 2],
      ]);
      expect(created[0]).to.include({ uuid_user: anonymous.user._id, id_project: project.id, isAuthenticated: false });
    }));

  it('the response with the operators of a department contains the complete project and no round-robin fields', () =>
    each(async (send) => {
      const { project, owner } = await aProject();
      const read = async (path: string) => (await send({ client: 'library', method: 'GET', path, as: owner })).body;
      const { trialDaysLeft: _, ...publicFields } = await read(`/v3/projects/${project.id}`);
      const operators = await read(`/v3/${project.id}/departments/default/operators`);
      expect(operators.project).to.deep.include(publicFields);
      expect(operators).to.not.have.any.keys('lastOperatorId', 'lastRequest', 'lastOperatorIndex');
    }));
});
