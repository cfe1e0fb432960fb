import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from '../support/api.ts';
import { changeProject } from '../support/change-project.ts';
import { aProject } from '../support/people.ts';
import { aTeam, type ListedTeammate, teamEvents } from '../support/team.ts';

const users = (members: ListedTeammate[]) => members.map(({ id_user }) => id_user._id);

describe('Teammates', () => {
  it('the list of teammates includes their accounts, excludes visitors, and includes trashed teammates only on request', async () => {
    const { owner, admin, agent, guest, root, list, membershipId } = await aTeam();
    const first = (await list()).find(({ id_user }) => id_user._id === agent.id);
    expect(first).to.include({ role: 'agent', roleType: 1, status: 'active', presence: 'offline', isBusy: false });
    expect(first).to.include({ isAuthenticated: true, number_assigned_requests: 0, user_available: true });
    expect(users(await list())).to.have.members([owner.id, admin.id, agent.id]);
    await api(admin).delete(`${root}/${await membershipId(agent)}?soft=true`);
    expect(users(await list('', admin))).to.have.members([owner.id, admin.id]);
    expect(users(await list('?trashed=true', admin))).to.have.members([owner.id, admin.id, agent.id]);
    expect(users(await list('?trashed=false', admin))).to.have.members([owner.id, admin.id]);
    const [visitor] = await list('?role=guest', admin);
    expect(visitor).to.include({ uuid_user: guest.id, isAuthenticated: false }).and.not.have.property('id_user');
  });

  it('the list of teammates is filtered by role, status and presence', async () => {
    const { project, owner, admin, agent, root, list, membershipId } = await aTeam();
    const online = { 'presence.status': 'online', 'presence.changedAt': new Date() };
    await ProjectUser.updateOne({ id_project: project.id, id_user: agent.id }, { $set: online });
    await api(owner).delete(`${root}/${await membershipId(admin)}`);
    expect(users(await list('?presencestatus=online', owner))).to.deep.equal([agent.id]);
    expect(users(await list('?presencestatus=offline', owner))).to.have.members([owner.id, admin.id]);
    expect(users(await list('?status=disabled', owner))).to.deep.equal([admin.id]);
    expect(users(await list('?role=owner&role=agent', owner))).to.have.members([owner.id, agent.id]);
    expect((await list('?presencestatus=online', owner))[0]).to.include({ presence: 'online' });
  });

  it('a teammate can be read by record id, by user id and as `me`', async () => {
    const { agent, owner, guest, root, membershipId } = await aTeam();
    const own = (await api(agent).get(`${root}/me`)).body;
    expect(own).to.have.lengthOf(1);
    expect(own[0]).to.include({
      _id: await membershipId(agent),
      id: await membershipId(agent),
      id_user: agent.id,
      isBusy: false,
    });
    const read = (await api(owner).get(`${root}/${own[0]._id}`)).body;
    expect(read.id_user).to.include({ _id: agent.id, email: agent.email, firstname: 'Ann', emailverified: false });
    expect(read.id_user).to.not.have.any.keys('password', 'resetpswrequestid', 'epoch');
    expect((await api(owner).get(`${root}/users/${agent.id}`)).body).to.deep.equal(read);
    expect((await api(owner).get(`${root}/users/${guest.id}`)).body).to.include({ uuid_user: guest.id });
    for (const path of ['/none', '/users/none', `/users/${'0'.repeat(24)}`])
      expect((await api(owner).get(root + path)).status, path).to.equal(404);
  });

  it('a search by email address finds teammates of the same project only', async () => {
    const { agent, owner, root } = await aTeam();
    const { owner: stranger } = await aProject();
    const search = (email: string) => api(owner).get(`${root}/users/search?email=${encodeURIComponent(email)}`);
    expect((await search(agent.email.toUpperCase())).body).to.deep.equal({ _id: agent.id });
    const [foreign, unknown] = [await search(stranger.email), await search(`${randomUUID()}@example.com`)];
    expect(foreign.status).to.equal(404);
    expect(foreign.text).to.equal(unknown.text);
  });

  it("an update of the caller's own record leaves absent and null fields unchanged, uses `max_served_chat` only without `max_assigned_chat`, and cannot raise the role", async () => {
    const { project, agent, root } = await aTeam();
    const change = (body: object) => api(agent).put(`${root}/`, body);
    const all = { user_available: false, profileStatus: 'lunch', attributes: { a: 1 }, settings: { b: { c: 2 } } };
    const { body } = await change({ ...all, max_served_chat: 3, tags: [{ tag: 'vip', color: '#f00' }] });
    expect(body).to.deep.include({ ...all, max_assigned_chat: 3, id_user: agent.id });
    const renamed = await change({ max_assigned_chat: null, max_served_chat: 4 });
    expect(renamed.body).to.include({ max_assigned_chat: 4 });
    expect((await change({ max_assigned_chat: 3, max_served_chat: 5 })).body).to.include({ max_assigned_chat: 3 });
    expect(body.tags[0]).to.include({ tag: 'vip', color: '#f00' }).and.have.property('_id');
    const next = await change({ attributes: null, 'settings.email.notification.conversation.pooled': false });
    const email = { notification: { conversation: { pooled: false } } };
    expect(next.body).to.deep.include({ ...all, settings: { b: { c: 2 }, email } });
    for (const role of ['admin', 'owner']) expect((await change({ role })).status, role).to.equal(403);
    expect((await change({ role: 'agent', status: 'disabled' })).body).to.include({ role: 'agent', status: 'active' });
    expect((await change({ settings: {}, 'settings.email.notification.conversation.pooled': true })).status).to.equal(
      422,
    );
    const updateEvents = ['project_user.update', 'project_user.update.agent'];
    expect(await teamEvents(project.id)).to.deep.equal([
      ...[1, 2, 3, 4].flatMap(() => [...updateEvents, 'project_user.updated']),
      ...updateEvents, // the last accepted call changed nothing
    ]);
  });

  it('an admin can update teammates, but cannot grant a role above admin or change the role or status of an owner', async () => {
    const { owner, admin, agent, guest, root, membershipId } = await aTeam();
    const change = async (caller: Caller, teammate: Caller, body: object) =>
      api(caller).put(`${root}/${await membershipId(teammate)}`, body);
    expect((await change(admin, agent, { role: 'admin', max_assigned_chat: 2 })).body).to.include({ role: 'admin' });
    expect((await change(admin, agent, { role: 'owner' })).status).to.equal(403);
    expect((await change(admin, admin, { role: 'owner' })).status).to.equal(403);
    expect((await change(owner, agent, { role: 'owner' })).body).to.include({ role: 'owner', max_assigned_chat: 2 });
    for (const body of [{ role: 'admin' }, { status: 'disabled' }]) {
      expect((await change(admin, agent, body)).status).to.equal(403);
      expect((await change(owner, agent, { role: 'owner', status: 'active' })).status).to.equal(200);
    }
    expect((await change(admin, owner, { user_available: false })).body).to.include({ user_available: false });
    expect((await change(admin, guest, { role: 'agent' })).status).to.equal(422);
    expect((await change(admin, guest, { user_available: false })).body).to.include({ role: 'guest' });
  });

  it("a teammate whose number of open conversations reaches the project's limit is busy, and the teammate's own limit overrides the project's", async () => {
    const { project, owner, agent, root, membershipId } = await aTeam();
    const open = { number_assigned_requests: 2 };
    await ProjectUser.updateOne({ id_project: project.id, id_user: agent.id }, { $set: open });
    const isBusy = async () => (await api(owner).get(`${root}/${await membershipId(agent)}`)).body.isBusy;
    expect(await isBusy()).to.equal(false);
    const settings = { chat_limit_on: true, max_agent_assigned_chat: 2 };
    await changeProject(project.id, { $set: { settings } });
    expect(await isBusy()).to.equal(true);
    await api(agent).put(root, { max_assigned_chat: 3 });
    expect(await isBusy()).to.equal(false);
    await api(agent).put(root, { max_assigned_chat: 2, number_assigned_requests: 0 });
    expect(await isBusy()).to.equal(true);
  });

  it('every call for a teammate of another project returns 404', async () => {
    const { owner, root } = await aTeam();
    const other = await aTeam();
    const id = await other.membershipId(other.agent);
    const calls = [
      await api(owner).get(`${root}/${id}`),
      await api(owner).put(`${root}/${id}`, { user_available: false }),
      await api(owner).delete(`${root}/${id}?hard=true`),
      await api(owner).put(`${root}/${id}/restore`),
      await api(owner).get(`${root}/users/${other.agent.id}`),
    ];
    expect(calls.map(({ status }) => status)).to.deep.equal(calls.map(() => 404));
    expect((await api(other.agent).get(`${other.root}/me`)).body[0]).to.include({
      status: 'active',
      user_available: true,
    });
  });

  it('an agent can create a visitor', async () => {
    const { agent, project, root, list } = await aTeam();
    const { body } = await api(agent).post(root, { tags: [{ tag: 'ticket' }] });
    expect(body).to.include({ role: 'guest', roleType: 2, user_available: false, createdBy: agent.id });
    expect(body.uuid_user).to.match(/^[0-9a-f-]{36}$/);
    expect(((await list('?role=guest')) as ListedTeammate[]).map(({ _id }) => _id)).to.include(body._id);
    expect(await teamEvents(project.id)).to.include('projectuser.create');
  });
});
