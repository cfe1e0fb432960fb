/**
 * Rules for accounts, tokens and secrets. Each rules out a defect of another product; the defects are listed in
 * test/data/defects-of-another-product.md. A24 is an attack described in docs/attacks.md.
 */
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Bot } from '#shared/models/bot.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { signToken } from '#shared/security/tokens.ts';
import { actorsOfProject } from '../support/actors.ts';
import { api } from '../support/api.ts';
import { aPerson, aProject, PASSWORD } from '../support/people.ts';
import { aProjectKey, customClaims, forgeToken, withToken } from '../support/tokens.ts';
import { waitUntil } from '../support/wait-until.ts';

const runFile = promisify(execFile);
const HASH_PATTERN = /\$argon2|\$2[aby]\$|"password"/;

describe('Rules for accounts, tokens and secrets', () => {
  it('a token signed with the key of a project is valid in that project only, whatever account it names', async () => {
    const [own, foreign] = await Promise.all([aProject(), aProject()]);
    const secret = await aProjectKey(own.project.id);
    const signInWithClaims = (more: object) =>
      withToken(forgeToken(customClaims(own.project.id, { _id: foreign.owner.id, ...more }), { secret }));
    for (const sub of ['user', 'bot', 'subscription', '', undefined])
      expect(
        (await api(signInWithClaims({ sub })).get(`/v3/projects/${foreign.project.id}`)).status,
        String(sub),
      ).to.equal(401);
    const externalUser = api(signInWithClaims({ sub: 'userexternal' }));
    expect((await externalUser.get(`/v3/projects/${foreign.project.id}`)).status).to.be.oneOf([401, 403]);
    expect((await externalUser.get('/v3/users')).status).to.be.oneOf([401, 404]);
  });

  it('the token of a bot or a subscription is valid in its own project only, and a role in the token is ignored', async () => {
    const [{ project, callers }, other] = await Promise.all([actorsOfProject(), aProject()]);
    for (const caller of [callers.bot, callers.subscription]) {
      expect((await api(caller).get(`/v3/${project}/leads`)).status).to.equal(200);
      expect((await api(caller).get(`/v3/${other.project.id}/leads`)).status).to.equal(403);
    }
    const { _id, secret } = await Subscription.findOne({ id_project: project }, '+secret').orFail().lean();
    const [id, signer] = [String(_id), { kind: 'subscriptions', id: String(_id) } as const];
    const asOwner = signToken(
      { _id: id, role: 'owner' },
      { sub: 'subscription', ttlSeconds: config.TOKEN_TTL_SECONDS, signer, secret },
    );
    expect((await api(withToken(asOwner)).get(`/v3/${project}/subscriptions`)).status).to.equal(403);
  });

  it('a role in a custom token, which a project signs for its own user, is ignored', async () => {
    const { project } = await aProject();
    const claims = customClaims(project.id, { role: 'owner', roleType: 1 });
    const caller = withToken(forgeToken(claims, { secret: await aProjectKey(project.id) }), claims._id);
    await api(caller).post('/v3/auth/signinWithCustomToken', { id_project: project.id });
    const member = await ProjectUser.findOne({ id_project: project.id, uuid_user: claims._id }).lean();
    expect(member?.role ?? 'none').to.be.oneOf(['user', 'none']);
    expect((await api(caller).put(`/v3/projects/${project.id}`, { name: 'Mine' })).status).to.equal(403);
  });

  it('no endpoint signs a token with claims that the caller supplies', async () => {
    const { project, owner } = await aProject();
    const body = { _id: owner.id, sub: 'userexternal' };
    for (const caller of [undefined, { id: '', authorization: 'JWT x.y' }, owner])
      expect((await api(caller).post(`/v3/${project.id}/jwt/generatetestjwt`, body)).status).to.equal(404);
  });

  it('A24: password reset calls reveal nothing about the account', async () => {
    const { email, id } = await aPerson();
    for (const reply of [
      await api().put('/v3/auth/requestresetpsw', { email }),
      await api().get('/v3/auth/checkpswresetkey/made-up'),
      await api().put('/v3/auth/resetpsw/made-up', { password: 'another password' }),
    ]) {
      expect(reply.text).to.not.include(id).and.not.include('firstname').and.not.match(HASH_PATTERN);
    }
  });

  it('no master password exists, and a sign-in response contains no password hash', async () => {
    const { email } = await aPerson();
    expect(Object.keys(config).filter((name) => /PASSW/.test(name))).to.deep.equal(['PASSWORD_MIN_LENGTH']);
    for (const password of ['', 'superPassword', 'masterpassword', config.JWT_SECRET ?? 'secret'])
      expect((await api().post('/v3/auth/signin', { email, password })).status).to.be.oneOf([401, 422]);
    expect((await api().post('/v3/auth/signin', { email, password: PASSWORD })).text).to.not.match(HASH_PATTERN);
  });

  it('each installation generates its own random secret and keeps it', async () => {
    const script =
      "import { deriveKey } from '#shared/security/tokens.ts'; console.log(deriveKey('test').toString('hex'))";
    const keyOfInstallation = async (DATA_DIR: string) => {
      const env = { ...process.env, DATA_DIR, JWT_SECRET: undefined };
      return (await runFile(process.execPath, ['--input-type=module', '-e', script], { env })).stdout;
    };
    const [one, other] = await Promise.all([1, 2].map(() => mkdtemp(join(config.DATA_DIR, 'secret-'))));
    const keys = await Promise.all([one, one, other].map((dir) => keyOfInstallation(dir as string)));
    expect(keys[0]).to.match(/^[0-9a-f]{64}\n$/);
    expect([keys[1] === keys[0], keys[2] === keys[0]]).to.deep.equal([true, false]);
  });

  it('every bot has a secret of its own', async () => {
    const { project, owner } = await aProject();
    for (const name of ['One', 'Another']) await api(owner).post(`/v3/${project.id}/bots`, { name });
    const secrets = (await Bot.find({ id_project: project.id }, '+secret').lean()).map(({ secret }) => secret);
    expect(secrets).to.have.length(3); // including the bot of the type `identity`, which every new project has
    expect(new Set(secrets).size).to.equal(3);
    for (const secret of secrets) expect(secret).to.have.length.greaterThan(30);
  });

  it('no call can set the presence of a teammate', async () => {
    const { project, agent, owner } = await aProject();
    const change = { event_type: 'presence-change', presence: 'online', user_id: agent.id };
    expect((await api().post('/v3/chat21/requests', change)).status).to.be.oneOf([401, 404]);
    await api(agent).put(`/v3/${project.id}/project_users`, { presence: 'online', user_available: true });
    const { body } = await api(owner).get(`/v3/${project.id}/project_users/users/${agent.id}`);
    expect(body.presence).to.equal('offline');
  });

  it('a banned visitor cannot evade the ban by changing the claims of their token', async () => {
    const { project, owner, guest } = await aProject();
    const path = `/v3/${project.id}/requests/me`;
    const [head, payload = '', signature] = guest.authorization.split('.');
    const claims = Buffer.from(payload, 'base64url').toString().replace(guest.id, owner.id);
    const disguised = { id: '', authorization: [head, Buffer.from(claims).toString('base64url'), signature].join('.') };
    expect((await api(guest).get(path)).status).to.equal(200);
    await api(owner).post(`/v3/projects/${project.id}/ban`, { id: guest.id });
    await waitUntil(async () => (await api(guest).get(path)).status === 401);
    expect((await api(disguised).get(path)).status).to.equal(401);
  });

  it('no response contains the mail server password, and public responses contain no bans or IP lists', async () => {
    const { project, owner, agent } = await aProject();
    const path = `/v3/projects/${project.id}`;
    await api(owner).post(`${path}/ban`, { id: 'canary-banned', ip: '192.0.2.77' });
    await api(owner).put(path, { ipFilterDeny: ['192.0.2.78'], 'settings.email.config.pass': 'canary-pass' });
    const replies = [
      await api().get(`/v3/${project.id}/widgets`),
      await api().get(`${path}/users/availables`),
      await api(agent).get(path),
      await api(agent).get('/v3/projects'),
      await api(owner).get(path),
    ];
    for (const { status, text } of replies) {
      expect(status).to.equal(200);
      expect(text).to.not.include('canary-pass');
    }
    for (const { text } of replies.slice(0, 2)) expect(text).to.not.match(/canary|192\.0\.2/);
  });

  it('an agent cannot upload the picture of a bot', async () => {
    const { project, agent } = await aProject();
    const [bot] = await Bot.create([{ id_project: project.id, name: 'Bot', createdBy: 'test' }]);
    const path = `/v3/${project.id}/files/users/photo?bot_id=${String(bot?._id)}`;
    expect((await api(agent).post(path, 'no picture', { 'content-type': 'image/jpeg' })).status).to.be.within(400, 499);
  });
});
