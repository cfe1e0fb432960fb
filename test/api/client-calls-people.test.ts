/** Teammates, projects and sign-in as public clients of the API use them, in both wire profiles. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { tellLoads } from '#shared/domain/routing/load-news.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from '../support/api.ts';
import { bothProfiles } from '../support/both-profiles.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { aKey, bearing, customClaims, forged } from '../support/tokens.ts';
import { until } from '../support/until.ts';
import noteDeed from '../../workers/events/note-deed.ts';
import { hear } from '../../workers/steps/hear.ts';

type Json = ReturnType<typeof JSON.parse>;

const payloads = async (project: string, event: string): Promise<Json[]> =>
  (await changes(project)).filter((change) => change.event === event).map(({ payload }) => payload);

/** Everything that was told of the project is written down, as a worker does it that hears it. */
const noted = async (project: string): Promise<void> => {
  for (const { _id: id, event, record, position } of await changes(project)) {
    const ref = { id, id_project: project, event, record: String(record), position };
    await hear({ name: 'events.note-deed', on: [], attempts: 1, work: noteDeed }, ref);
  }
};

describe('The people whom public clients read and change', () => {
  const { each } = bothProfiles();

  it("D9: a custom-token sign-in with id_project takes a guest's token and a member's, and no stranger's", () =>
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
      const own = bearing(forged(customClaims(project.id), { secret: await aKey(project.id) }));
      expect((await signIn(own, other.project.id)).status).to.equal(422);
      expect((await signIn(own, project.id)).status).to.equal(200);
    }));

  it('D10: the list of projects carries the whole memberships of the caller', () =>
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

  it('D12: an availability change that names the system as its initiator is told and noted as automatic', () =>
    each(async (send) => {
      const { project, agent, admin } = await aProject();
      const path = `/v3/${project.id}/project_users`;
      const set = (user_available: boolean, more = {}) =>
        send({ client: 'dashboard', method: 'PUT', path, as: agent, body: { user_available, ...more } });
      expect((await set(false, { availabilityInitiator: 'system' })).status).to.equal(200);
      await set(true);
      const told = await payloads(project.id, 'project_user.update.availability');
      expect(told.map(({ availabilityInitiator }) => availabilityInitiator)).to.deep.equal(['system', undefined]);
      await noted(project.id);
      const { body } = await api(admin).get(`/v3/${project.id}/activities?direction=1`);
      const verbs = body.activities.map(({ verb }: { verb: string }) => verb);
      expect(verbs).to.deep.equal(['PROJECT_USER_AVAILABILITY_SYSTEM', 'PROJECT_USER_AVAILABILITY_SELF']);
    }));

  it('D14: a change of load is told as project_user.update, at most once a second and teammate, and at last as it is', () =>
    each(async (send) => {
      const { project, owner, agent } = await aProject();
      await ProjectUser.updateMany({ id_project: project.id }, { user_available: false });
      const openings = Array.from({ length: 6 }, () => {
        const path = `/v3/${project.id}/requests/support-group-${randomUUID()}/messages`;
        const body = { text: 'Yours', participants: [agent.id] };
        return send({ client: 'library', method: 'POST', path, as: owner, body });
      });
      for (const { status } of await Promise.all(openings)) expect(status).to.equal(200);
      const loads = async (): Promise<number[]> =>
        (await payloads(project.id, 'project_user.update'))
          .filter(({ id_user }) => String(id_user._id) === agent.id)
          .map(({ number_assigned_requests }) => number_assigned_requests);
      await until(async () => {
        await tellLoads();
        return (await loads()).at(-1) === 6;
      });
      expect((await loads()).length).to.be.lessThan(6);
    }));

  it('D15: anonymous sign-in and the first one by a custom token tell projectuser.create, a later one does not', () =>
    each(async (send) => {
      const { project } = await aProject();
      const before = (await payloads(project.id, 'projectuser.create')).length;
      const body = { id_project: project.id, firstname: 'Vi' };
      const { body: anonymous } = await send({
        client: 'widget',
        method: 'POST',
        path: '/v3/auth/signinAnonymously',
        body,
      });
      const own = bearing(forged(customClaims(project.id), { secret: await aKey(project.id) }));
      for (const _ of [1, 2])
        await send({ client: 'widget', method: 'POST', path: '/v3/auth/signinWithCustomToken', as: own });
      const made = (await payloads(project.id, 'projectuser.create')).slice(before);
      expect(made.map(({ role, roleType }) => [role, roleType])).to.deep.equal([
        ['guest', 2],
        ['user', 2],
      ]);
      expect(made[0]).to.include({ uuid_user: anonymous.user._id, id_project: project.id, isAuthenticated: false });
    }));

  it('D18: the operators of a department come with the whole project, and without round-robin fields', () =>
    each(async (send) => {
      const { project, owner } = await aProject();
      const read = async (path: string) => (await send({ client: 'library', method: 'GET', path, as: owner })).body;
      const { trialDaysLeft: _, ...whole } = await read(`/v3/projects/${project.id}`);
      const operators = await read(`/v3/${project.id}/departments/default/operators`);
      expect(operators.project).to.deep.include(whole);
      expect(operators).to.not.have.any.keys('lastOperatorId', 'lastRequest', 'lastOperatorIndex');
    }));
});
