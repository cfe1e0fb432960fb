import { expect } from 'chai';
import { api, type Caller } from '../support/api.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

const projectPath = (id: string, more = '') => `/v3/projects/${id}${more}`;
const widgetStatus = async (id: string, caller?: Caller): Promise<number> =>
  (await api(caller).get(`/v3/${id}/widgets`)).status;

describe('Project IP lists and bans', () => {
  it("calls to a project's paths from an address that its IP lists exclude return 401, but admins can change the lists from that address", async () => {
    const { project, admin } = await aProject();
    expect(await widgetStatus(project.id)).to.equal(200);
    await api(admin).put(projectPath(project.id), { ipFilterEnabled: true, ipFilter: ['10.0.0.0/8'] });
    await waitUntil(async () => (await widgetStatus(project.id)) === 401);
    const { body } = await api(admin).get(`/v3/${project.id}/kb/namespace/all`);
    expect(body).to.include({
      success: false,
      code: 'ACCESS_DENIED',
      err: 'Your IP address is not in the allow list of this project',
    });
    await api(admin).patch(projectPath(project.id), { ipFilter: ['127.0.0.0/8', '::1'] });
    await waitUntil(async () => (await widgetStatus(project.id)) === 200);
    await api(admin).patch(projectPath(project.id), { ipFilterDenyEnabled: true, ipFilterDeny: ['127.0.0.1', '::1'] });
    await waitUntil(async () => (await widgetStatus(project.id)) === 401);
  });

  it('a banned visitor receives 401 until the ban is lifted, and other callers are served', async () => {
    const { project, admin, agent, guest } = await aProject();
    const { bannedUsers } = (await api(admin).post(projectPath(project.id, '/ban'), { id: guest.id })).body;
    await waitUntil(async () => (await widgetStatus(project.id, guest)) === 401);
    expect(await widgetStatus(project.id, agent)).to.equal(200);
    expect(await widgetStatus(project.id)).to.equal(200);
    await api(admin).delete(projectPath(project.id, `/ban/${bannedUsers[0]._id}`));
    await waitUntil(async () => (await widgetStatus(project.id, guest)) === 200);
  });

  it('a ban with an IP address excludes all visitors at that address, even from anonymous sign-in, but does not affect teammates', async () => {
    const { project, admin, agent, guest } = await aProject();
    const other = await aVisitor(project.id);
    const signInAnonymously = () => api().post('/v3/auth/signinAnonymously', { id_project: project.id });
    expect((await signInAnonymously()).status).to.equal(200);
    const ban = { id: guest.id, ip: '127.0.0.1' };
    const { bannedUsers } = (await api(admin).post(projectPath(project.id, '/ban'), ban)).body;
    const visitors = [guest, other, undefined];
    const statuses = () => Promise.all(visitors.map((caller) => widgetStatus(project.id, caller)));
    await waitUntil(async () => (await statuses()).every((status) => status === 401));
    const { status, body } = await signInAnonymously();
    expect({ status, ...body }).to.include({
      status: 401,
      code: 'ACCESS_DENIED',
      err: 'You are banned from this project',
    });
    expect(await widgetStatus(project.id, agent)).to.equal(200);
    await api(admin).delete(projectPath(project.id, `/ban/${bannedUsers[0]._id}`));
    await waitUntil(async () => (await statuses()).every((each) => each === 200));
    expect((await signInAnonymously()).status).to.equal(200);
  });

  it('anonymous sign-in from an address that the project denies returns 401', async () => {
    const { project, admin } = await aProject();
    const signIn = async () => (await api().post('/v3/auth/signinAnonymously', { id_project: project.id })).status;
    await api(admin).put(projectPath(project.id), { ipFilterDenyEnabled: true, ipFilterDeny: ['127.0.0.1'] });
    expect(await signIn()).to.equal(401);
    await api(admin).put(projectPath(project.id), { ipFilterDenyEnabled: false });
    expect(await signIn()).to.equal(200);
  });
});
