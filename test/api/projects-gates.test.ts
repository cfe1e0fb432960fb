import { expect } from 'chai';
import { api, type Caller } from '../support/api.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { until } from '../support/until.ts';

const at = (id: string, more = '') => `/v3/projects/${id}${more}`;
const widgets = async (id: string, caller?: Caller): Promise<number> =>
  (await api(caller).get(`/v3/${id}/widgets`)).status;

describe('Whom a project keeps out', () => {
  it('meets a 401 under its path once the lists of addresses say so, and admins can still change them', async () => {
    const { project, admin } = await aProject();
    expect(await widgets(project.id)).to.equal(200);
    await api(admin).put(at(project.id), { ipFilterEnabled: true, ipFilter: ['10.0.0.0/8'] });
    await until(async () => (await widgets(project.id)) === 401);
    const { body } = await api(admin).get(`/v3/${project.id}/kb/namespace/all`);
    expect(body).to.include({ success: false, code: 'KEPT_OUT', err: 'Your address is not allowed here' });
    await api(admin).patch(at(project.id), { ipFilter: ['127.0.0.0/8', '::1'] });
    await until(async () => (await widgets(project.id)) === 200);
    await api(admin).patch(at(project.id), { ipFilterDenyEnabled: true, ipFilterDeny: ['127.0.0.1', '::1'] });
    await until(async () => (await widgets(project.id)) === 401);
  });

  it('is a banned visitor alone, until it is let in again', async () => {
    const { project, admin, agent, guest } = await aProject();
    const { bannedUsers } = (await api(admin).post(at(project.id, '/ban'), { id: guest.id })).body;
    await until(async () => (await widgets(project.id, guest)) === 401);
    expect(await widgets(project.id, agent)).to.equal(200);
    expect(await widgets(project.id)).to.equal(200);
    await api(admin).delete(at(project.id, `/ban/${bannedUsers[0]._id}`));
    await until(async () => (await widgets(project.id, guest)) === 200);
  });

  it('is every visitor from the address of a ban, in calls and in anonymous sign-in, and no teammate', async () => {
    const { project, admin, agent, guest } = await aProject();
    const other = await aVisitor(project.id);
    const signInAnonymously = () => api().post('/v3/auth/signinAnonymously', { id_project: project.id });
    expect((await signInAnonymously()).status).to.equal(200);
    const ban = { id: guest.id, ip: '127.0.0.1' };
    const { bannedUsers } = (await api(admin).post(at(project.id, '/ban'), ban)).body;
    const visitors = [guest, other, undefined];
    const statuses = () => Promise.all(visitors.map((caller) => widgets(project.id, caller)));
    await until(async () => (await statuses()).every((status) => status === 401));
    const { status, body } = await signInAnonymously();
    expect({ status, ...body }).to.include({ status: 401, code: 'KEPT_OUT', err: 'You are banned from this project' });
    expect(await widgets(project.id, agent)).to.equal(200);
    await api(admin).delete(at(project.id, `/ban/${bannedUsers[0]._id}`));
    await until(async () => (await statuses()).every((each) => each === 200));
    expect((await signInAnonymously()).status).to.equal(200);
  });

  it('cannot sign in anonymously from an address that the project keeps out', async () => {
    const { project, admin } = await aProject();
    const signIn = async () => (await api().post('/v3/auth/signinAnonymously', { id_project: project.id })).status;
    await api(admin).put(at(project.id), { ipFilterDenyEnabled: true, ipFilterDeny: ['127.0.0.1'] });
    expect(await signIn()).to.equal(401);
    await api(admin).put(at(project.id), { ipFilterDenyEnabled: false });
    expect(await signIn()).to.equal(200);
  });
});
