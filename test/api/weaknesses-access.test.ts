/** What the peer does wrong with accounts, tokens and secrets, shown not to be here (contract a 13). */
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { config } from '#shared/config.ts';
import { Bot } from '#shared/models/bot.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { sign } from '#shared/tokens.ts';
import { api } from '../support/api.ts';
import { aCast } from '../support/cast.ts';
import { aPerson, aProject, PASSWORD } from '../support/people.ts';
import { aKey, bearing, customClaims, forged } from '../support/tokens.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const HASH = /\$argon2|\$2[aby]\$|"password"/;

describe('Not here of the peer: access', () => {
  it('a token that a project signed is anybody it names (a 13)', async () => {
    const [mine, theirs] = await Promise.all([aProject(), aProject()]);
    const secret = await aKey(mine.project.id);
    const claim = (more: object) =>
      bearing(forged(customClaims(mine.project.id, { _id: theirs.owner.id, ...more }), { secret }));
    for (const sub of ['user', 'bot', 'subscription', '', undefined])
      expect((await api(claim({ sub })).get(`/v3/projects/${theirs.project.id}`)).status, String(sub)).to.equal(401);
    const own = api(claim({ sub: 'userexternal' }));
    expect((await own.get(`/v3/projects/${theirs.project.id}`)).status).to.be.oneOf([401, 403]);
    expect((await own.get('/v3/users')).status).to.be.oneOf([401, 404]);
  });

  it('tokens of bots and subscriptions pass in every project, with whatever role (a 13)', async () => {
    const [{ project, cast }, other] = await Promise.all([aCast(), aProject()]);
    for (const program of [cast.bot, cast.subscription]) {
      expect((await api(program).get(`/v3/${project}/leads`)).status).to.equal(200);
      expect((await api(program).get(`/v3/${other.project.id}/leads`)).status).to.equal(403);
    }
    const { _id, secret } = await Subscription.findOne({ id_project: project }, '+secret').orFail().lean();
    const [id, signer] = [String(_id), { kind: 'subscriptions', id: String(_id) } as const];
    const asOwner = sign({ _id: id, role: 'owner' }, { sub: 'subscription', ttl: config.TOKEN_TTL, signer, secret });
    expect((await api(bearing(asOwner)).get(`/v3/${project}/subscriptions`)).status).to.equal(403);
  });

  it("an integrator's token says of itself that it is an owner's (a 13)", async () => {
    const { project } = await aProject();
    const claims = customClaims(project.id, { role: 'owner', roleType: 1 });
    const caller = bearing(forged(claims, { secret: await aKey(project.id) }), claims._id);
    await api(caller).post('/v3/auth/signinWithCustomToken', { id_project: project.id });
    const member = await ProjectUser.findOne({ id_project: project.id, uuid_user: claims._id }).lean();
    expect(member?.role ?? 'none').to.be.oneOf(['user', 'none']);
    expect((await api(caller).put(`/v3/projects/${project.id}`, { name: 'Mine' })).status).to.equal(403);
  });

  it('anything is signed for anybody (a 13)', async () => {
    const { project, owner } = await aProject();
    const body = { _id: owner.id, sub: 'userexternal' };
    for (const caller of [undefined, { id: '', authorization: 'JWT x.y' }, owner])
      expect((await api(caller).post(`/v3/${project.id}/jwt/generatetestjwt`, body)).status).to.equal(404);
  });

  it('the key of a forgotten password shows its account (a 13)', async () => {
    const { email, id } = await aPerson();
    for (const reply of [
      await api().put('/v3/auth/requestresetpsw', { email }),
      await api().get('/v3/auth/checkpswresetkey/made-up'),
      await api().put('/v3/auth/resetpsw/made-up', { password: 'another password' }),
    ]) {
      expect(reply.text).to.not.include(id).and.not.include('firstname').and.not.match(HASH);
    }
  });

  it("one password opens every account, and its answer shows the account's hash (a 13)", async () => {
    const { email } = await aPerson();
    expect(Object.keys(config).filter((name) => /PASSW/.test(name))).to.deep.equal(['PASSWORD_MIN_LENGTH']);
    for (const password of ['', 'superPassword', 'masterpassword', config.JWT_SECRET ?? 'secret'])
      expect((await api().post('/v3/auth/signin', { email, password })).status).to.be.oneOf([401, 422]);
    expect((await api().post('/v3/auth/signin', { email, password: PASSWORD })).text).to.not.match(HASH);
  });

  it('the secret of the platform is one that everybody knows (a 13)', async () => {
    const script = "import { keyFor } from '#shared/tokens.ts'; console.log(keyFor('test').toString('hex'))";
    const keyIn = async (DATA_DIR: string) => {
      const env = { ...process.env, DATA_DIR, JWT_SECRET: undefined };
      return (await run(process.execPath, ['--input-type=module', '-e', script], { env })).stdout;
    };
    const [one, other] = await Promise.all([1, 2].map(() => mkdtemp(join(config.DATA_DIR, 'secret-'))));
    const keys = await Promise.all([one, one, other].map((dir) => keyIn(dir as string)));
    expect(keys[0]).to.match(/^[0-9a-f]{64}\n$/);
    expect([keys[1] === keys[0], keys[2] === keys[0]]).to.deep.equal([true, false]);
  });

  it('bots share a secret (a 13)', async () => {
    const { project, owner } = await aProject();
    for (const name of ['One', 'Another']) await api(owner).post(`/v3/${project.id}/bots`, { name });
    const secrets = (await Bot.find({ id_project: project.id }, '+secret').lean()).map(({ secret }) => secret);
    expect(new Set(secrets).size).to.equal(2);
    for (const secret of secrets) expect(secret).to.have.length.greaterThan(30);
  });

  it('anybody says who is there (a 13)', async () => {
    const { project, agent, owner } = await aProject();
    const change = { event_type: 'presence-change', presence: 'online', user_id: agent.id };
    expect((await api().post('/v3/chat21/requests', change)).status).to.be.oneOf([401, 404]);
    await api(agent).put(`/v3/${project.id}/project_users`, { presence: 'online', user_available: true });
    const { body } = await api(owner).get(`/v3/${project.id}/project_users/users/${agent.id}`);
    expect(body.presence).to.equal('offline');
  });

  it('who is banned is asked of a token that nobody has checked (a 13)', async () => {
    const { project, owner, guest } = await aProject();
    const path = `/v3/${project.id}/requests/me`;
    const [head, payload = '', signature] = guest.authorization.split('.');
    const said = Buffer.from(payload, 'base64url').toString().replace(guest.id, owner.id);
    const disguised = { id: '', authorization: [head, Buffer.from(said).toString('base64url'), signature].join('.') };
    expect((await api(guest).get(path)).status).to.equal(200);
    await api(owner).post(`/v3/projects/${project.id}/ban`, { id: guest.id });
    await until(async () => (await api(guest).get(path)).status === 401);
    expect((await api(disguised).get(path)).status).to.equal(401);
  });

  it("visitors and agents are shown the banned, the lists of addresses, the mail server's password (a 13)", async () => {
    const { project, owner, agent } = await aProject();
    const own = `/v3/projects/${project.id}`;
    await api(owner).post(`${own}/ban`, { id: 'canary-banned', ip: '192.0.2.77' });
    await api(owner).put(own, { ipFilterDeny: ['192.0.2.78'], 'settings.email.config.pass': 'canary-pass' });
    const seen = [
      await api().get(`/v3/${project.id}/widgets`),
      await api().get(`${own}/users/availables`),
      await api(agent).get(own),
      await api(agent).get('/v3/projects'),
      await api(owner).get(own),
    ];
    for (const { status, text } of seen) {
      expect(status).to.equal(200);
      expect(text).to.not.include('canary-pass');
    }
    for (const { text } of seen.slice(0, 2)) expect(text).to.not.match(/canary|192\.0\.2/);
  });

  it("a bot's picture is stored before it is asked who sends it (a 13)", async () => {
    const { project, agent } = await aProject();
    const [bot] = await Bot.create([{ id_project: project.id, name: 'Bot', createdBy: 'test' }]);
    const path = `/v3/${project.id}/files/users/photo?bot_id=${String(bot?._id)}`;
    expect((await api(agent).post(path, 'no picture', { 'content-type': 'image/jpeg' })).status).to.be.within(400, 499);
  });
});
