import { expect } from 'chai';
import { Project } from '#shared/models/project.ts';
import { decryptSecret } from '#shared/security/secrets.ts';
import { api, type Caller } from '../support/api.ts';
import { readLog, waitForRelay } from '../support/changes-log.ts';
import { anInstanceAdmin, aProject } from '../support/people.ts';
import { startRelayOnce } from '../support/relay.ts';

const projectPath = (id: string, more = '') => `/v3/projects/${id}${more}`;
const HOURS = '{"1":[{"start":"09:00","end":"18:00"}],"tzname":"Europe/Rome"}';

const eventsOf = async (project: string): Promise<string[]> => {
  await waitForRelay();
  return (await readLog(project)).map(({ event }) => event);
};

const storedPassword = async (id: string) =>
  (await Project.findOne({ _id: id }).select('+smtpPassword').lean())?.smtpPassword ?? '';

describe('Projects', () => {
  before(startRelayOnce);

  it('a project update changes the given fields and leaves absent and null fields unchanged', async () => {
    const { project, admin } = await aProject();
    const changes = {
      operatingHours: HOURS,
      activeOperatingHours: true,
      ipFilter: ['10.0.0.0/8', '::1'],
      settings: { a: 1 },
    };
    expect((await api(admin).put(projectPath(project.id), { name: 'Two', ...changes })).body).to.deep.include({
      name: 'Two',
      ...changes,
    });
    const { body } = await api(admin).patch(projectPath(project.id), {
      name: 'Three',
      settings: null,
      operatingHours: null,
    });
    expect(body).to.deep.include({ ...changes, name: 'Three', id: project.id, status: 100 });
    expect(await eventsOf(project.id)).to.deep.equal([
      'project.create',
      'projectuser.create',
      'project.update',
      'project.update',
    ]);
  });

  it('dotted keys change individual project settings, and are refused with 422 together with a `settings` object', async () => {
    const { project, admin } = await aProject();
    await api(admin).put(projectPath(project.id), { settings: { chat_limit_on: false, own: { kept: true } } });
    const dotted = { 'settings.chat_limit_on': true, 'settings.email.from': 'us@example.com' };
    const { body } = await api(admin).patch(projectPath(project.id), dotted);
    expect(body.settings).to.deep.equal({
      chat_limit_on: true,
      own: { kept: true },
      email: { from: 'us@example.com' },
    });
    const refused = await api(admin).put(projectPath(project.id), { settings: {}, ...dotted });
    expect(refused.status).to.equal(422);
    expect(refused.body.errors[0].path).to.equal('settings');
  });

  it('the mail server password of a project is in no reply or event, is stored encrypted, and is kept when settings are saved without it', async () => {
    const { project, admin } = await aProject();
    const readPassword = async () => decryptSecret(await storedPassword(project.id), `smtp password of ${project.id}`);
    const email = { config: { host: 'mail.example.com', pass: 'hush' } };
    const first = await api(admin).put(projectPath(project.id), { settings: { email } });
    expect(first.body.settings).to.deep.equal({ email: { config: { host: 'mail.example.com' } } });
    await api(admin).put(projectPath(project.id), { settings: first.body.settings });
    expect(await storedPassword(project.id)).to.not.include('hush');
    expect(await readPassword()).to.equal('hush');
    const { text } = await api(admin).patch(projectPath(project.id), { 'settings.email.config.pass': 'other hush' });
    expect(await readPassword()).to.equal('other hush');
    await waitForRelay();
    expect(text + JSON.stringify(await readLog(project.id))).to.not.include('hush');
  });

  it('the stored password of an SMTP server is deleted when its host or port changes without a new password, and kept when other settings change', async () => {
    const { project, admin } = await aProject();
    const server = { host: 'mail.example.com', port: 587, user: 'shop' };
    const keepsPassword = async (changes: object) => {
      await api(admin).put(projectPath(project.id), { settings: { email: { config: { ...server, pass: 'hush' } } } });
      expect((await api(admin).put(projectPath(project.id), changes)).status).to.equal(200);
      return (await storedPassword(project.id)) !== '';
    };
    const withServer = (config: object) => ({ settings: { email: { config }, chat_limit_on: true } });
    const kept: object[] = [
      withServer(server),
      withServer({ ...server, user: 'other', secure: true }),
      { 'settings.email.config.host': server.host, 'settings.email.config.user': 'other' },
      withServer({ ...server, host: 'other.example.com', pass: 'new' }),
      { 'settings.email.config.host': 'other.example.com', 'settings.email.config.pass': 'new' },
    ];
    for (const changes of kept) expect(await keepsPassword(changes), JSON.stringify(changes)).to.equal(true);
    const deleted: object[] = [
      withServer({ ...server, host: 'other.example.com' }),
      withServer({ ...server, port: 2525 }),
      { 'settings.email.config.host': 'other.example.com' },
      { 'settings.email.config.port': 2525 },
      { settings: {} },
    ];
    for (const changes of deleted) expect(await keepsPassword(changes), JSON.stringify(changes)).to.equal(false);
  });

  it('an invalid field of a project is refused with a 422 error that names the field', async () => {
    const { project, admin } = await aProject();
    const invalid: [string, unknown][] = [
      ['name', 5],
      ['operatingHours', '{"tzname":"Mars/Olympus"}'],
      ['timeSlots', { night: { hours: '{' } }],
      ['ipFilter', ['10.0.0.0/99']],
      ['settings.email.config.port', 70_000],
      ['settings', { $set: 1 }],
      ['bannedUsers', [{}]],
      ['widget', { poweredBy: 1 }],
    ];
    for (const [name, value] of invalid) {
      const { status, body } = await api(admin).put(projectPath(project.id), { [name]: value });
      expect(status, name).to.equal(422);
      expect(body.error, name).to.include(name);
    }
    await api(admin).put(projectPath(project.id), { settings: { email: 'a text' } });
    expect((await api(admin).patch(projectPath(project.id), { 'settings.email.from': 'x' })).status).to.equal(422);
  });

  it('the HTML of the widget is sanitized by both endpoints that change it', async () => {
    const { project, admin, agent } = await aProject();
    const widget = { align: 'left', poweredBy: '<a href="https://a.example" onclick="x()">A</a><script>x()</script>' };
    const clean = '<a href="https://a.example" rel="noopener noreferrer">A</a>';
    const replaced = await api(agent).put(projectPath(project.id, '/availables'), { widget });
    expect(replaced.body).to.deep.equal({ widget: { align: 'left', poweredBy: clean } });
    expect((await api(admin).put(projectPath(project.id), { widget })).body.widget.poweredBy).to.equal(clean);
    expect((await api(agent).put(projectPath(project.id, '/availables'), { widget: { a: 1 } })).body).to.deep.equal({
      widget: { a: 1 },
    });
  });

  it('setting project attributes replaces only the given keys', async () => {
    const { project, admin } = await aProject();
    const patch = (attributes: object) => api(admin).patch(projectPath(project.id, '/attributes'), attributes);
    await patch({ a: 1, b: { c: 2 } });
    expect((await patch({ b: 3, d: null })).body.attributes).to.deep.equal({ a: 1, b: 3, d: null });
    expect((await patch({ 'a.b': 1 })).status).to.equal(422);
  });

  it('an update that would make a project too large returns 413', async () => {
    const { project, admin } = await aProject();
    const addAttributes = (attributes: object) => api(admin).patch(projectPath(project.id, '/attributes'), attributes);
    expect((await addAttributes({ note: 'x'.repeat(40_000) })).status).to.equal(200);
    await Project.updateOne({ _id: project.id }, { 'attributes.more': 'x'.repeat(450_000) });
    const refused = await addAttributes({ third: 'x'.repeat(50_000) });
    expect([refused.status, refused.body.code]).to.deep.equal([413, 'TOO_LARGE']);
    expect((await addAttributes({ more: null })).status).to.equal(200);
  });

  it('banning a visitor twice adds one ban, and unbanning removes it', async () => {
    const { project, admin, guest } = await aProject();
    const ban = () => api(admin).post(projectPath(project.id, '/ban'), { id: guest.id, ip: '10.0.0.1' });
    await ban();
    const { bannedUsers } = (await ban()).body;
    expect(bannedUsers).to.have.lengthOf(1);
    expect(bannedUsers[0]).to.include({ id: guest.id, ip: '10.0.0.1' });
    const unban = () => api(admin).delete(projectPath(project.id, `/ban/${bannedUsers[0]._id}`));
    expect((await unban()).body.bannedUsers).to.deep.equal([]);
    expect((await unban()).status).to.equal(404);
    expect(await eventsOf(project.id)).to.deep.equal([
      ...['project.create', 'projectuser.create'],
      ...['project.update', 'project.update.user.ban', 'message.create'],
      ...['project.update', 'project.update.user.unban'],
    ]);
  });

  it('only the owner can close a project with DELETE, and a closed project is not accessible', async () => {
    const { project, owner, admin, guest } = await aProject();
    expect((await api(admin).delete(projectPath(project.id))).status).to.equal(403);
    expect((await api(owner).delete(projectPath(project.id))).body).to.include({ status: 0, id: project.id });
    const calls: [Caller | undefined, string, number[]][] = [
      [owner, projectPath(project.id), [403, 404]],
      [undefined, projectPath(project.id, '/isopen'), [404]],
      [undefined, `/v3/${project.id}/widgets`, [400]],
      [guest, `/v3/${project.id}/widgets`, [400]],
    ];
    for (const [caller, path, statuses] of calls)
      expect(statuses, path).to.include((await api(caller).get(path)).status);
    expect((await api(owner).get('/v3/projects')).body).to.deep.equal([]);
    expect(await eventsOf(project.id)).to.deep.equal(['project.create', 'projectuser.create', 'project.delete']);
    expect((await readLog(project.id)).at(-1)?.payload).to.include({
      name: 'Project',
      status: 0,
      id_project: project.id,
    });
  });

  it('only instance administrators can list all projects and set the plan of a project', async () => {
    const [{ project, owner, admin }, operator] = [await aProject(), await anInstanceAdmin()];
    expect((await api(owner).get('/v3/projects/all')).body).to.include({
      success: false,
      code: 'INSTANCE_ADMINS_ONLY',
    });
    const all = (await api(operator).get('/v3/projects/all')).body as { _id: string }[];
    const listed = all.find(({ _id }) => _id === project.id);
    expect(listed).to.include({ name: 'Project', owner: owner.email, profile_name: 'Custom' });
    const profile = { name: 'Large', type: 'payment', agents: 9 };
    expect((await api(admin).put(projectPath(project.id), { name: 'X', profile })).status).to.equal(403);
    expect((await api(operator).put(projectPath(project.id), { profile })).body.code).to.equal('NOT_MEMBER');
    const own = await api(operator).post('/v3/projects', { name: 'Own' });
    expect((await api(operator).put(projectPath(own.body.id), { profile })).body.profile).to.deep.equal(profile);
  });
});
