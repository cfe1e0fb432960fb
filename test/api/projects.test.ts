import { expect } from 'chai';
import { Project } from '#shared/models/project.ts';
import { api, type Caller } from '../support/api.ts';
import { caughtUp, logged } from '../support/changes.ts';
import { anOperator, aProject } from '../support/people.ts';
import { relaying } from '../support/relay.ts';

const at = (id: string, more = '') => `/v3/projects/${id}${more}`;
const BLANK = '{"1":[{"start":"09:00","end":"18:00"}],"tzname":"Europe/Rome"}';

const eventsOf = async (project: string): Promise<string[]> => {
  await caughtUp();
  return (await logged(project)).map(({ event }) => event);
};

describe('Projects', () => {
  before(relaying);

  it('are changed field by field; what is absent or null stays', async () => {
    const { project, admin } = await aProject();
    const changes = {
      operatingHours: BLANK,
      activeOperatingHours: true,
      ipFilter: ['10.0.0.0/8', '::1'],
      settings: { a: 1 },
    };
    expect((await api(admin).put(at(project.id), { name: 'Two', ...changes })).body).to.deep.include({
      name: 'Two',
      ...changes,
    });
    const { body } = await api(admin).patch(at(project.id), { name: 'Three', settings: null, operatingHours: null });
    expect(body).to.deep.include({ ...changes, name: 'Three', id: project.id, status: 100 });
    expect(await eventsOf(project.id)).to.deep.equal([
      'project.create',
      'projectuser.create',
      'project.update',
      'project.update',
    ]);
  });

  it('are changed setting by setting by dotted names, and not in both ways at once', async () => {
    const { project, admin } = await aProject();
    await api(admin).put(at(project.id), { settings: { chat_limit_on: false, own: { kept: true } } });
    const dotted = { 'settings.chat_limit_on': true, 'settings.email.from': 'us@example.com' };
    const { body } = await api(admin).patch(at(project.id), dotted);
    expect(body.settings).to.deep.equal({
      chat_limit_on: true,
      own: { kept: true },
      email: { from: 'us@example.com' },
    });
    const both = await api(admin).put(at(project.id), { settings: {}, ...dotted });
    expect(both.status).to.equal(422);
    expect(both.body.errors[0].path).to.equal('settings');
  });

  it('never show the password of their mail server, and keep it when settings come back without it', async () => {
    const { project, admin } = await aProject();
    const kept = async () => (await Project.findOne({ _id: project.id }).select('+smtpPassword').lean())?.smtpPassword;
    const email = { config: { host: 'mail.example.com', pass: 'hush' } };
    const first = await api(admin).put(at(project.id), { settings: { email } });
    expect(first.body.settings).to.deep.equal({ email: { config: { host: 'mail.example.com' } } });
    await api(admin).put(at(project.id), { settings: first.body.settings });
    expect(await kept()).to.equal('hush');
    const { text } = await api(admin).patch(at(project.id), { 'settings.email.config.pass': 'other hush' });
    expect(await kept()).to.equal('other hush');
    await caughtUp();
    expect(text + JSON.stringify(await logged(project.id))).to.not.include('hush');
  });

  it('refuse what can not be kept, and name it (422)', async () => {
    const { project, admin } = await aProject();
    const wrong: [string, unknown][] = [
      ['name', 5],
      ['operatingHours', '{"tzname":"Mars/Olympus"}'],
      ['timeSlots', { night: { hours: '{' } }],
      ['ipFilter', ['10.0.0.0/99']],
      ['settings.email.config.port', 70_000],
      ['settings', { $set: 1 }],
      ['bannedUsers', [{}]],
      ['widget', { poweredBy: 1 }],
    ];
    for (const [name, value] of wrong) {
      const { status, body } = await api(admin).put(at(project.id), { [name]: value });
      expect(status, name).to.equal(422);
      expect(body.error, name).to.include(name);
    }
    await api(admin).put(at(project.id), { settings: { email: 'a text' } });
    expect((await api(admin).patch(at(project.id), { 'settings.email.from': 'x' })).status).to.equal(422);
  });

  it('hold a widget whose HTML is sanitised, by either way of changing it', async () => {
    const { project, admin, agent } = await aProject();
    const widget = { align: 'left', poweredBy: '<a href="https://a.example" onclick="x()">A</a><script>x()</script>' };
    const clean = '<a href="https://a.example" rel="noopener noreferrer">A</a>';
    const replaced = await api(agent).put(at(project.id, '/availables'), { widget });
    expect(replaced.body).to.deep.equal({ widget: { align: 'left', poweredBy: clean } });
    expect((await api(admin).put(at(project.id), { widget })).body.widget.poweredBy).to.equal(clean);
    expect((await api(agent).put(at(project.id, '/availables'), { widget: { a: 1 } })).body).to.deep.equal({
      widget: { a: 1 },
    });
  });

  it('have attributes that are set one by one', async () => {
    const { project, admin } = await aProject();
    const patch = (attributes: object) => api(admin).patch(at(project.id, '/attributes'), attributes);
    await patch({ a: 1, b: { c: 2 } });
    expect((await patch({ b: 3, d: null })).body.attributes).to.deep.equal({ a: 1, b: 3, d: null });
    expect((await patch({ 'a.b': 1 })).status).to.equal(422);
  });

  it('do not grow without end (413)', async () => {
    const { project, admin } = await aProject();
    const grow = (attributes: object) => api(admin).patch(at(project.id, '/attributes'), attributes);
    expect((await grow({ note: 'x'.repeat(40_000) })).status).to.equal(200);
    await Project.updateOne({ _id: project.id }, { 'attributes.more': 'x'.repeat(450_000) });
    const refused = await grow({ third: 'x'.repeat(50_000) });
    expect([refused.status, refused.body.code]).to.deep.equal([413, 'TOO_LARGE']);
    expect((await grow({ more: null })).status).to.equal(200);
  });

  it('ban a visitor once, and let it in again', async () => {
    const { project, admin, guest } = await aProject();
    const ban = () => api(admin).post(at(project.id, '/ban'), { id: guest.id, ip: '10.0.0.1' });
    await ban();
    const { bannedUsers } = (await ban()).body;
    expect(bannedUsers).to.have.lengthOf(1);
    expect(bannedUsers[0]).to.include({ id: guest.id, ip: '10.0.0.1' });
    const unban = () => api(admin).delete(at(project.id, `/ban/${bannedUsers[0]._id}`));
    expect((await unban()).body.bannedUsers).to.deep.equal([]);
    expect((await unban()).status).to.equal(404);
    expect(await eventsOf(project.id)).to.deep.equal([
      ...['project.create', 'projectuser.create'],
      ...['project.update', 'project.update.user.ban', 'message.create'],
      ...['project.update', 'project.update.user.unban'],
    ]);
  });

  it('are closed for good by their owner; their records stay', async () => {
    const { project, owner, admin, guest } = await aProject();
    expect((await api(admin).delete(at(project.id))).status).to.equal(403);
    expect((await api(owner).delete(at(project.id))).body).to.include({ status: 0, id: project.id });
    const calls: [Caller | undefined, string, number[]][] = [
      [owner, at(project.id), [403, 404]],
      [undefined, at(project.id, '/isopen'), [404]],
      [undefined, `/v3/${project.id}/widgets`, [400]],
      [guest, `/v3/${project.id}/widgets`, [400]],
    ];
    for (const [caller, path, statuses] of calls)
      expect(statuses, path).to.include((await api(caller).get(path)).status);
    expect((await api(owner).get('/v3/projects')).body).to.deep.equal([]);
    expect(await eventsOf(project.id)).to.deep.equal(['project.create', 'projectuser.create', 'project.delete']);
    expect((await logged(project.id)).at(-1)?.payload).to.include({
      name: 'Project',
      status: 0,
      id_project: project.id,
    });
  });

  it('are listed whole for operators alone, who alone set a plan (decisions 53 and 56)', async () => {
    const [{ project, owner, admin }, operator] = [await aProject(), await anOperator()];
    expect((await api(owner).get('/v3/projects/all')).body).to.include({ success: false, code: 'OPERATORS_ONLY' });
    const all = (await api(operator).get('/v3/projects/all')).body as { _id: string }[];
    const listed = all.find(({ _id }) => _id === project.id);
    expect(listed).to.include({ name: 'Project', owner: owner.email, profile_name: 'Custom' });
    const profile = { name: 'Large', type: 'payment', agents: 9 };
    expect((await api(admin).put(at(project.id), { name: 'X', profile })).status).to.equal(403);
    expect((await api(operator).put(at(project.id), { profile })).body.code).to.equal('NOT_MEMBER');
    const own = await api(operator).post('/v3/projects', { name: 'Own' });
    expect((await api(operator).put(at(own.body.id), { profile })).body.profile).to.deep.equal(profile);
  });
});
