import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { Bot } from '#shared/models/bot.ts';
import { Lead } from '#shared/models/lead.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Token } from '#shared/models/token.ts';
import * as sessions from '#shared/domain/access/sessions.ts';
import { api, type Caller } from '../support/api.ts';
import { accessIsFollowed, commandsDuring } from '../support/commands.ts';
import { aPerson, aProject, PASSWORD, type Person } from '../support/people.ts';
import { aKey, bearing, customClaims, forged } from '../support/tokens.ts';
import { until } from '../support/until.ts';

const signedIn = async (person: Person, headers: Record<string, string> = {}): Promise<Caller> => {
  const { body } = await api().post('/v3/auth/signin', { email: person.email, password: PASSWORD }, headers);
  return { id: person.id, authorization: body.token };
};

const statusOf = async (caller: Caller, path = '/v3/projects'): Promise<number> => (await api(caller).get(path)).status;
const isRefused = (caller: Caller, path?: string) => until(async () => (await statusOf(caller, path)) === 401);
const basic = ({ email }: Person): Caller => ({
  id: '',
  authorization: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`,
});

describe('The history of tokens', () => {
  it('tells of each sign-in when, from where and with what it was, never the token', async () => {
    const person = await aPerson();
    const caller = await signedIn(person, { 'user-agent': 'Test/1.0' });
    const { body, text } = await api(caller).get('/v3/jwt/history');
    expect(body).to.include({ perPage: 40, count: 1 });
    const [token] = body.history;
    expect(token).to.include({ id_user: person.id, userAgent: 'Test/1.0', ip: '127.0.0.1' });
    expect(Date.parse(token.expiresAt)).to.be.greaterThan(Date.parse(token.createdAt));
    expect(Date.parse(token.lastUsedAt)).to.be.at.least(Date.parse(token.createdAt));
    expect(text).to.not.include(caller.authorization.split('.')[2]);
  });

  it('holds the own tokens only, a page at a time, the latest first', async () => {
    const [person, other] = await Promise.all([aPerson(), aPerson()]);
    for (const _ of [1, 2, 3]) await signedIn(person);
    await signedIn(other);
    const { body } = await api(person).get('/v3/jwt/history?sortField=createdAt&direction=1&page=0&limit=2');
    expect(body.history.map(({ id_user }: { id_user: string }) => id_user)).to.deep.equal([person.id, person.id]);
    expect(body.count).to.equal(3);
    const times = (await api(person).get('/v3/jwt/history')).body.history.map(
      ({ createdAt }: { createdAt: string }) => createdAt,
    );
    expect(times).to.deep.equal(times.toSorted().toReversed());
  });

  it('ends a token by its jti or by its record, and answers the record; again changes nothing', async () => {
    const person = await aPerson();
    const callers = [await signedIn(person), await signedIn(person)];
    const { history } = (await api(person).get('/v3/jwt/history?direction=1')).body;
    const first = await api(person).delete(`/v3/jwt/history/${history[0].jti}`);
    const second = await api(person).delete(`/v3/jwt/history/id/${history[1]._id}`);
    expect([first.body._id, second.body._id]).to.deep.equal([history[0]._id, history[1]._id]);
    expect([first.body.revokedAt, second.body.revokedAt]).to.satisfy((times: string[]) => times.every(Date.parse));
    for (const caller of callers) await isRefused(caller);
    expect(await statusOf(person)).to.equal(200);
    const again = await api(person).delete(`/v3/jwt/history/${history[0].jti}`);
    expect(again.body.revokedAt).to.equal(first.body.revokedAt);
  });

  it("neither shows nor ends other people's tokens (404)", async () => {
    const [person, other] = await Promise.all([aPerson(), aPerson()]);
    await signedIn(person);
    const token = await Token.findOne({ id_user: person.id }).orFail().lean();
    for (const path of [token.jti, `id/${String(token._id)}`, randomUUID(), 'id/none'])
      expect((await api(other).delete(`/v3/jwt/history/${path}`)).status).to.equal(404);
    expect((await Token.findOne({ id_user: person.id }).lean())?.revokedAt).to.equal(undefined);
  });

  it("shows and ends a bot's tokens to the admins of its project, not to its agents", async () => {
    const { project, owner, admin, agent } = await aProject();
    const [bot] = await Bot.create([{ id_project: project.id, name: 'Bot', createdBy: owner.id }]);
    const token = await sessions.issueBotToken(project.id, String(bot?._id));
    expect(await statusOf(bearing(token), `/v3/${project.id}/changes`)).to.equal(200);
    expect((await api(agent).get('/v3/jwt/history')).body.count).to.equal(0);
    const [record] = (await api(admin).get('/v3/jwt/history')).body.history;
    expect(record).to.include({ id_user: String(bot?._id), id_project: project.id });
    expect((await api(admin).delete(`/v3/jwt/history/${record.jti}`)).status).to.equal(200);
    await isRefused(bearing(token), `/v3/${project.id}/changes`);
  });
});

describe('A token of a bot', () => {
  it('passes where bots may, in its own project only', async () => {
    const [{ project, owner }, other] = await Promise.all([aProject(), aProject()]);
    const [bot] = await Bot.create([{ id_project: project.id, name: 'Bot', createdBy: owner.id }]);
    const caller = bearing(await sessions.issueBotToken(project.id, String(bot?._id)));
    expect(await statusOf(caller, `/v3/${project.id}/changes`)).to.equal(200);
    expect(await statusOf(caller, `/v3/${other.project.id}/changes`)).to.equal(403);
    expect(await statusOf(caller, `/v3/projects/${project.id}/users/availables`)).to.be.oneOf([200, 403]);
    expect(await statusOf(caller, '/v3/projects')).to.equal(403);
  });
});

describe('The key of a project', () => {
  it('is made by admins, shown once, and ends the one before it when that was said', async () => {
    const { project, admin, agent } = await aProject();
    const generate = async (body?: object) =>
      (await api(admin).post(`/v3/${project.id}/keys/generate`, body)).body.jwtSecret as string;
    expect((await api(agent).post(`/v3/${project.id}/keys/generate`)).status).to.equal(403);
    const claims = customClaims(project.id);
    const first = bearing(forged(claims, { secret: await generate() }));
    await api(first).post('/v3/auth/signinWithCustomToken');
    const changes = `/v3/${project.id}/changes`;
    expect(await statusOf(first, changes)).to.equal(200);
    const second = bearing(forged(claims, { secret: await generate() }));
    expect(await statusOf(second, changes)).to.equal(200);
    expect(await statusOf(first, changes)).to.equal(200);
    const third = bearing(forged(claims, { secret: await generate({ overlap: 0 }) }));
    await isRefused(first, changes);
    await isRefused(second, changes);
    expect(await statusOf(third, changes)).to.equal(200);
    expect((await api(admin).get(`/v3/projects/${project.id}`)).text).to.not.include('ecret"');
  });
});

describe('Sign-in with a custom token', () => {
  const signIn = (token: string, body?: object) => api(bearing(token)).post('/v3/auth/signinWithCustomToken', body);

  it('brings a user of the project in: the membership, the lead, and the token as it came', async () => {
    const { project } = await aProject();
    const secret = await aKey(project.id);
    const claims = customClaims(project.id, { attributes: { plan: 'gold' }, code: 7 });
    const token = forged(claims, { secret });
    const before = await api(bearing(token)).get(`/v3/${project.id}/changes`);
    expect(before.body.code).to.equal('NOT_MEMBER');
    const { status, body } = await signIn(token);
    expect({ status, ...body }).to.deep.equal({ status: 200, success: true, token: `JWT ${token}`, user: claims });
    const member = { id_project: project.id, uuid_user: claims._id };
    expect(await ProjectUser.findOne(member).lean()).to.deep.include({ role: 'user', roleType: 2, status: 'active' });
    const lead = { id_project: project.id, lead_id: claims._id };
    const { email, firstname, lastname } = claims;
    expect(await Lead.findOne(lead).lean()).to.include({ email, fullname: `${firstname} ${lastname}` });
    expect(await statusOf(bearing(token), `/v3/${project.id}/changes`)).to.equal(200);
  });

  it('makes one membership and one lead, however often and at once it comes, and tells the lead of a new name', async () => {
    const { project } = await aProject();
    const secret = await aKey(project.id);
    const claims = customClaims(project.id);
    const replies = await Promise.all([1, 2, 3, 4].map(() => signIn(forged(claims, { secret }))));
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    await signIn(forged({ ...claims, firstname: 'New' }, { secret }));
    expect(await ProjectUser.countDocuments({ id_project: project.id, uuid_user: claims._id })).to.equal(1);
    const leads = await Lead.find({ id_project: project.id, lead_id: claims._id }).lean();
    expect(leads.map(({ fullname }) => fullname)).to.deep.equal(['New User']);
  });

  it('makes no teammate of anybody (403), and is of the project that signed (422, 403)', async () => {
    const [{ project }, other] = await Promise.all([aProject(), aProject()]);
    const secret = await aKey(project.id);
    for (const role of ['agent', 'admin', 'owner'])
      expect((await signIn(forged(customClaims(project.id, { role }), { secret }))).status).to.equal(403);
    const token = forged(customClaims(project.id), { secret });
    expect((await signIn(token, { id_project: other.project.id })).status).to.equal(422);
    expect((await signIn(token, { id_project: project.id })).status).to.equal(200);
    expect(await statusOf(bearing(token), `/v3/${other.project.id}/changes`)).to.equal(403);
    expect(await ProjectUser.countDocuments({ id_project: project.id, roleType: 1 })).to.equal(3);
  });

  it('tells users of two projects apart who have one id, under one Idempotency-Key and in the history too', async () => {
    const _id = `own-${randomUUID()}`;
    const tokens = await Promise.all(
      [1, 2].map(async () => {
        const { project } = await aProject();
        return forged(customClaims(project.id, { _id }), { secret: await aKey(project.id) });
      }),
    );
    for (const token of tokens) {
      const headers = { 'idempotency-key': 'one' };
      const { body } = await api(bearing(token)).post('/v3/auth/signinWithCustomToken', {}, headers);
      expect(body.token).to.equal(`JWT ${token}`);
      expect((await api(bearing(token)).get('/v3/jwt/history')).body.count).to.equal(0);
    }
  });

  it('refuses who is disabled in the project (401)', async () => {
    const { project } = await aProject();
    const secret = await aKey(project.id);
    const claims = customClaims(project.id);
    await signIn(forged(claims, { secret }));
    await ProjectUser.updateOne({ id_project: project.id, uuid_user: claims._id }, { status: 'disabled' });
    expect((await signIn(forged(claims, { secret }))).status).to.equal(401);
  });

  it('answers a token of our own as it came, and asks for one (422) who came by Basic', async () => {
    const person = await aPerson();
    const { body } = await api(person).post('/v3/auth/signinWithCustomToken');
    expect({ token: body.token, _id: body.user._id }).to.deep.equal({ token: person.authorization, _id: person.id });
    expect((await api(basic(person)).post('/v3/auth/signinWithCustomToken')).status).to.equal(422);
  });
});

describe('Credentials of the realtime endpoint', () => {
  it('are the token in use, or a new one for who came by Basic', async () => {
    const [person, { project, guest }] = await Promise.all([aPerson(), aProject()]);
    const path = '/v3/chat21/native/auth/createCustomToken';
    const { body } = await api(person).post(path);
    const token = person.authorization.slice(4);
    expect(body).to.deep.equal({ userid: person.id, fullname: 'Ann Lee', firstname: 'Ann', lastname: 'Lee', token });
    const own = (await api(basic(person)).post(path)).body;
    expect(await statusOf(bearing(own.token))).to.equal(200);
    expect((await api(guest).post(path)).body.userid).to.equal(guest.id);
    expect(project.id).to.be.a('string');
  });
});

describe('Who asks', () => {
  it('is read once, and not again by any kind of credentials, on any call that follows', async () => {
    const { project, owner, agent, guest } = await aProject();
    const secret = await aKey(project.id);
    const own = bearing(forged(customClaims(project.id), { secret }));
    await api(own).post('/v3/auth/signinWithCustomToken');
    const [bot] = await Bot.create([{ id_project: project.id, name: 'Bot', createdBy: owner.id }]);
    const program = bearing(await sessions.issueBotToken(project.id, String(bot?._id)));
    const callers = [owner, agent, guest, own, program, basic(agent)];
    const path = `/v3/${project.id}/changes`;
    const all = async () => {
      for (const caller of callers) expect(await statusOf(caller, path)).to.equal(200);
    };
    expect(await readBy(all)).to.include.members(['users', 'project_users', 'bots', 'tokens']);
    await accessIsFollowed(); // the changes of access made above end what was read
    await until(async () => (await readBy(all)).length === 0);
    expect(await readBy(async () => void (await Promise.all([1, 2, 3, 4, 5].map(all))))).to.deep.equal([]);
  });
});

/** What the call is about, and the poll. */
const FOLLOWED = ['changes', 'access_changes'];

/** The other collections that were asked while `work` ran. */
const readBy = async (work: () => Promise<void>): Promise<string[]> => {
  const commands = (await commandsDuring(work)) as Record<string, unknown>[];
  return commands
    .map((command) => String(command.find ?? command.aggregate ?? command.findAndModify ?? command.update ?? ''))
    .filter((name) => name && !FOLLOWED.includes(name));
};
