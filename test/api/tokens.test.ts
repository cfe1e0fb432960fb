import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as sessions from '#shared/domain/access/sessions.ts';
import { Bot } from '#shared/models/bot.ts';
import { Lead } from '#shared/models/lead.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Token } from '#shared/models/token.ts';
import { api, type Caller } from '../support/api.ts';
import { commandsDuring, waitForAccessPoll } from '../support/mongo-commands.ts';
import { aPerson, aProject, PASSWORD, type Person } from '../support/people.ts';
import { aProjectKey, customClaims, forgeToken, withToken } from '../support/tokens.ts';
import { waitUntil } from '../support/wait-until.ts';

const signInAs = async (person: Person, headers: Record<string, string> = {}): Promise<Caller> => {
  const { body } = await api().post('/v3/auth/signin', { email: person.email, password: PASSWORD }, headers);
  return { id: person.id, authorization: body.token };
};

const statusOf = async (caller: Caller, path = '/v3/projects'): Promise<number> => (await api(caller).get(path)).status;
const waitUntilRefused = (caller: Caller, path?: string) =>
  waitUntil(async () => (await statusOf(caller, path)) === 401);
const withBasicPassword = ({ email }: Person): Caller => ({
  id: '',
  authorization: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`,
});

describe('Token history', () => {
  it('the token history lists the time, address and user agent of each sign-in, and never the token', async () => {
    const person = await aPerson();
    const caller = await signInAs(person, { 'user-agent': 'Test/1.0' });
    const { body, text } = await api(caller).get('/v3/jwt/history');
    expect(body).to.include({ perPage: 40, count: 1 });
    const [token] = body.history;
    expect(token).to.include({ id_user: person.id, userAgent: 'Test/1.0', ip: '127.0.0.1' });
    expect(Date.parse(token.expiresAt)).to.be.greaterThan(Date.parse(token.createdAt));
    expect(Date.parse(token.lastUsedAt)).to.be.at.least(Date.parse(token.createdAt));
    expect(text).to.not.include(caller.authorization.split('.')[2]);
  });

  it("the token history contains only the actor's own tokens, in pages, latest first", async () => {
    const [person, other] = await Promise.all([aPerson(), aPerson()]);
    for (const _ of [1, 2, 3]) await signInAs(person);
    await signInAs(other);
    const { body } = await api(person).get('/v3/jwt/history?sortField=createdAt&direction=1&page=0&limit=2');
    expect(body.history.map(({ id_user }: { id_user: string }) => id_user)).to.deep.equal([person.id, person.id]);
    expect(body.count).to.equal(3);
    const times = (await api(person).get('/v3/jwt/history')).body.history.map(
      ({ createdAt }: { createdAt: string }) => createdAt,
    );
    expect(times).to.deep.equal(times.toSorted().toReversed());
  });

  it('a token is revoked by its jti or its record id, and revoking it again changes nothing', async () => {
    const person = await aPerson();
    const callers = [await signInAs(person), await signInAs(person)];
    const { history } = (await api(person).get('/v3/jwt/history?direction=1')).body;
    const first = await api(person).delete(`/v3/jwt/history/${history[0].jti}`);
    const second = await api(person).delete(`/v3/jwt/history/id/${history[1]._id}`);
    expect([first.body._id, second.body._id]).to.deep.equal([history[0]._id, history[1]._id]);
    expect([first.body.revokedAt, second.body.revokedAt]).to.satisfy((times: string[]) => times.every(Date.parse));
    for (const caller of callers) await waitUntilRefused(caller);
    expect(await statusOf(person)).to.equal(200);
    const again = await api(person).delete(`/v3/jwt/history/${history[0].jti}`);
    expect(again.body.revokedAt).to.equal(first.body.revokedAt);
  });

  it('tokens of other accounts cannot be revoked (404)', async () => {
    const [person, other] = await Promise.all([aPerson(), aPerson()]);
    await signInAs(person);
    const token = await Token.findOne({ id_user: person.id }).orFail().lean();
    for (const path of [token.jti, `id/${String(token._id)}`, randomUUID(), 'id/none'])
      expect((await api(other).delete(`/v3/jwt/history/${path}`)).status).to.equal(404);
    expect((await Token.findOne({ id_user: person.id }).lean())?.revokedAt).to.equal(undefined);
  });

  it("a bot's tokens are listed and revoked by admins of its project, not by agents", async () => {
    const { project, owner, admin, agent } = await aProject();
    const [bot] = await Bot.create([{ id_project: project.id, name: 'Bot', createdBy: owner.id }]);
    const token = await sessions.issueBotToken(project.id, String(bot?._id));
    expect(await statusOf(withToken(token), `/v3/${project.id}/changes`)).to.equal(200);
    expect((await api(agent).get('/v3/jwt/history')).body.count).to.equal(0);
    const [record] = (await api(admin).get('/v3/jwt/history')).body.history;
    expect(record).to.include({ id_user: String(bot?._id), id_project: project.id });
    expect((await api(admin).delete(`/v3/jwt/history/${record.jti}`)).status).to.equal(200);
    await waitUntilRefused(withToken(token), `/v3/${project.id}/changes`);
  });
});

describe('Bot tokens', () => {
  it("a bot token is accepted on endpoints open to bots, in the bot's own project only", async () => {
    const [{ project, owner }, other] = await Promise.all([aProject(), aProject()]);
    const [bot] = await Bot.create([{ id_project: project.id, name: 'Bot', createdBy: owner.id }]);
    const caller = withToken(await sessions.issueBotToken(project.id, String(bot?._id)));
    expect(await statusOf(caller, `/v3/${project.id}/changes`)).to.equal(200);
    expect(await statusOf(caller, `/v3/${other.project.id}/changes`)).to.equal(403);
    expect(await statusOf(caller, `/v3/projects/${project.id}/users/availables`)).to.be.oneOf([200, 403]);
    expect(await statusOf(caller, '/v3/projects')).to.equal(403);
  });
});

describe('Project key', () => {
  it('an admin generates a project key, which is returned only once, and `overlap: 0` invalidates the earlier keys', async () => {
    const { project, admin, agent } = await aProject();
    const generate = async (body?: object) =>
      (await api(admin).post(`/v3/${project.id}/keys/generate`, body)).body.jwtSecret as string;
    expect((await api(agent).post(`/v3/${project.id}/keys/generate`)).status).to.equal(403);
    const claims = customClaims(project.id);
    const first = withToken(forgeToken(claims, { secret: await generate() }));
    await api(first).post('/v3/auth/signinWithCustomToken');
    const changes = `/v3/${project.id}/changes`;
    expect(await statusOf(first, changes)).to.equal(200);
    const second = withToken(forgeToken(claims, { secret: await generate() }));
    expect(await statusOf(second, changes)).to.equal(200);
    expect(await statusOf(first, changes)).to.equal(200);
    const third = withToken(forgeToken(claims, { secret: await generate({ overlap: 0 }) }));
    await waitUntilRefused(first, changes);
    await waitUntilRefused(second, changes);
    expect(await statusOf(third, changes)).to.equal(200);
    expect((await api(admin).get(`/v3/projects/${project.id}`)).text).to.not.include('ecret"');
  });
});

describe('Sign-in with a custom token', () => {
  const signIn = (token: string, body?: object) => api(withToken(token)).post('/v3/auth/signinWithCustomToken', body);

  it('sign-in with a custom token creates the membership and the lead, and returns the same token', async () => {
    const { project } = await aProject();
    const secret = await aProjectKey(project.id);
    const claims = customClaims(project.id, { attributes: { plan: 'gold' }, code: 7 });
    const token = forgeToken(claims, { secret });
    const before = await api(withToken(token)).get(`/v3/${project.id}/changes`);
    expect(before.body.code).to.equal('NOT_MEMBER');
    const { status, body } = await signIn(token);
    expect({ status, ...body }).to.deep.equal({ status: 200, success: true, token: `JWT ${token}`, user: claims });
    const member = { id_project: project.id, uuid_user: claims._id };
    expect(await ProjectUser.findOne(member).lean()).to.deep.include({ role: 'user', roleType: 2, status: 'active' });
    const lead = { id_project: project.id, lead_id: claims._id };
    const { email, firstname, lastname } = claims;
    expect(await Lead.findOne(lead).lean()).to.include({ email, fullname: `${firstname} ${lastname}` });
    expect(await statusOf(withToken(token), `/v3/${project.id}/changes`)).to.equal(200);
  });

  it("repeated and concurrent sign-ins with a custom token create one membership and one lead, and update the lead's name and phone number", async () => {
    const { project } = await aProject();
    const secret = await aProjectKey(project.id);
    const claims = customClaims(project.id);
    const replies = await Promise.all([1, 2, 3, 4].map(() => signIn(forgeToken(claims, { secret }))));
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    const renamed = { ...claims, firstname: 'New', phone: '+39 06 1234567' };
    for (const phone of [renamed.phone, '+39 06 7654321', ''])
      await signIn(forgeToken({ ...renamed, phone }, { secret }));
    expect(await ProjectUser.countDocuments({ id_project: project.id, uuid_user: claims._id })).to.equal(1);
    const leads = await Lead.find({ id_project: project.id, lead_id: claims._id }).lean();
    expect(leads.map(({ fullname, phone }) => [fullname, phone])).to.deep.equal([['New User', '+39067654321']]);
  });

  it('a custom token grants no teammate role (403) and is valid only for the project that signed it', async () => {
    const [{ project }, other] = await Promise.all([aProject(), aProject()]);
    const secret = await aProjectKey(project.id);
    for (const role of ['agent', 'admin', 'owner'])
      expect((await signIn(forgeToken(customClaims(project.id, { role }), { secret }))).status).to.equal(403);
    const token = forgeToken(customClaims(project.id), { secret });
    expect((await signIn(token, { id_project: other.project.id })).status).to.equal(422);
    expect((await signIn(token, { id_project: project.id })).status).to.equal(200);
    expect(await statusOf(withToken(token), `/v3/${other.project.id}/changes`)).to.equal(403);
    expect(await ProjectUser.countDocuments({ id_project: project.id, roleType: 1 })).to.equal(3);
  });

  it('users with the same id in two projects are separate: they share neither replies for an Idempotency-Key nor a token history', async () => {
    const _id = `own-${randomUUID()}`;
    const tokens = await Promise.all(
      [1, 2].map(async () => {
        const { project } = await aProject();
        return forgeToken(customClaims(project.id, { _id }), { secret: await aProjectKey(project.id) });
      }),
    );
    for (const token of tokens) {
      const headers = { 'idempotency-key': 'one' };
      const { body } = await api(withToken(token)).post('/v3/auth/signinWithCustomToken', {}, headers);
      expect(body.token).to.equal(`JWT ${token}`);
      expect((await api(withToken(token)).get('/v3/jwt/history')).body.count).to.equal(0);
    }
  });

  it('a custom token of a user disabled in the project is rejected (401)', async () => {
    const { project } = await aProject();
    const secret = await aProjectKey(project.id);
    const claims = customClaims(project.id);
    await signIn(forgeToken(claims, { secret }));
    await ProjectUser.updateOne({ id_project: project.id, uuid_user: claims._id }, { status: 'disabled' });
    expect((await signIn(forgeToken(claims, { secret }))).status).to.equal(401);
  });

  it('signinWithCustomToken returns a token unchanged if this server issued it, and answers Basic credentials with 422', async () => {
    const person = await aPerson();
    const { body } = await api(person).post('/v3/auth/signinWithCustomToken');
    expect({ token: body.token, _id: body.user._id }).to.deep.equal({ token: person.authorization, _id: person.id });
    expect((await api(withBasicPassword(person)).post('/v3/auth/signinWithCustomToken')).status).to.equal(422);
  });
});

describe('Realtime credentials', () => {
  it('createCustomToken returns the token of the call, or a new token for Basic credentials', async () => {
    const [person, { guest }] = await Promise.all([aPerson(), aProject()]);
    const path = '/v3/chat21/native/auth/createCustomToken';
    const { body } = await api(person).post(path);
    const token = person.authorization.slice(4);
    expect(body).to.deep.equal({ userid: person.id, fullname: 'Ann Lee', firstname: 'Ann', lastname: 'Lee', token });
    const own = (await api(withBasicPassword(person)).post(path)).body;
    expect(await statusOf(withToken(own.token))).to.equal(200);
    expect((await api(guest).post(path)).body.userid).to.equal(guest.id);
  });
});

describe('Access cache', () => {
  it('the actor is read from MongoDB once, and later calls with any kind of credentials use the cache', async () => {
    const { project, owner, agent, guest } = await aProject();
    const secret = await aProjectKey(project.id);
    const own = withToken(forgeToken(customClaims(project.id), { secret }));
    await api(own).post('/v3/auth/signinWithCustomToken');
    const [bot] = await Bot.create([{ id_project: project.id, name: 'Bot', createdBy: owner.id }]);
    const program = withToken(await sessions.issueBotToken(project.id, String(bot?._id)));
    const callers = [owner, agent, guest, own, program, withBasicPassword(agent)];
    const path = `/v3/${project.id}/changes`;
    const all = async () => {
      for (const caller of callers) expect(await statusOf(caller, path)).to.equal(200);
    };
    expect(await readBy(all)).to.include.members(['users', 'project_users', 'bots', 'tokens']);
    await waitForAccessPoll(); // otherwise, the access changes so far would invalidate the cache
    await waitUntil(async () => (await readBy(all)).length === 0);
    expect(await readBy(async () => void (await Promise.all([1, 2, 3, 4, 5].map(all))))).to.deep.equal([]);
  });
});

/** Collections that the endpoint itself and the poll of access changes read. */
const POLLED_COLLECTIONS = ['changes', 'access_changes'];

/** The other collections that were accessed while `work` ran. */
const readBy = async (work: () => Promise<void>): Promise<string[]> => {
  const commands = (await commandsDuring(work)) as Record<string, unknown>[];
  return commands
    .map((command) => String(command.find ?? command.aggregate ?? command.findAndModify ?? command.update ?? ''))
    .filter((name) => name && !POLLED_COLLECTIONS.includes(name));
};
