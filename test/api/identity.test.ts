import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Department } from '#shared/models/department.ts';
import { verifyToken } from '#shared/security/tokens.ts';
import { api } from '../support/api.ts';
import { aPerson, aProject, PASSWORD } from '../support/people.ts';

const anAccount = (more: object = {}) => ({
  email: `${randomUUID()}@Example.com`,
  password: 'long enough',
  firstname: 'Ann',
  lastname: 'Lee',
  ...more,
});

describe('Sign-up', () => {
  it('sign-up creates an account that can sign in, with the email address in lower case and no password in the reply', async () => {
    const account = anAccount();
    const { status, body } = await api().post('/v3/auth/signup', account);
    expect(status).to.equal(200);
    expect(body.user).to.include({ email: account.email.toLowerCase(), emailverified: false, status: 100 });
    expect(body.user).to.not.have.property('password');
    const signedIn = await api().post('/v3/auth/signin', { email: account.email, password: account.password });
    expect(signedIn.body.user._id).to.equal(body.user._id);
  });

  it('sign-up refuses an email address that is taken, regardless of letter case and even in concurrent calls', async () => {
    const account = anAccount();
    const replies = await Promise.all(
      [account.email, account.email.toUpperCase()].map((email) => api().post('/v3/auth/signup', { ...account, email })),
    );
    expect(replies.map(({ status }) => status)).to.have.members([200, 403]);
    const refused = replies.find(({ status }) => status === 403);
    expect(refused?.body).to.include({ success: false, message: 'An account with this email already exists' });
  });

  for (const [defect, more, path] of [
    ['a short password', { password: 'short' }, 'password'],
    ['an invalid email address', { email: 'ann' }, 'email'],
    ['an empty name', { firstname: ' ' }, 'firstname'],
    ['an invalid phone number', { phone: '12' }, 'phone'],
  ] as const) {
    it(`sign-up with ${defect} returns a 422 error that names the field and does not repeat the password`, async () => {
      const { status, body, text } = await api().post('/v3/auth/signup', anAccount(more));
      expect(status).to.equal(422);
      expect(body.errors.map((error: { param: string }) => error.param)).to.deep.equal([path]);
      expect(text).to.not.include(`"${anAccount(more).password}"`);
    });
  }
});

describe('Sign-in', () => {
  it('sign-in returns a token that expires, names its owner and is accepted by protected endpoints', async () => {
    const person = await aPerson();
    const { body } = await api().post('/v3/auth/signin', { email: person.email, password: PASSWORD });
    const claims = verifyToken(body.token.replace(/^JWT /, ''));
    expect(claims).to.include({ _id: person.id, email: person.email, sub: 'user' });
    expect(claims?.exp).to.be.greaterThan(claims?.iat as number);
    const reply = await api({ id: person.id, authorization: body.token }).get('/v3/projects');
    expect(reply).to.deep.include({ status: 200, body: [] });
  });

  it('sign-in accepts form fields', async () => {
    const person = await aPerson();
    const form = new URLSearchParams({ email: person.email, password: PASSWORD }).toString();
    const { status } = await api().post('/v3/auth/signin', form, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(status).to.equal(200);
  });

  it('sign-in gives the same answer for a wrong password and an unknown email address', async () => {
    const person = await aPerson();
    const wrong = await api().post('/v3/auth/signin', { email: person.email, password: 'wrong' });
    const unknown = await api().post('/v3/auth/signin', { email: 'nobody@example.com', password: 'wrong' });
    expect(wrong.status).to.equal(401);
    expect(unknown.text).to.equal(wrong.text);
  });

  it('Basic authentication is accepted instead of a token, even with a colon in the password', async () => {
    const account = anAccount({ password: 'with:a:colon' });
    await api().post('/v3/auth/signup', account);
    const basic = (password: string) => `Basic ${Buffer.from(`${account.email}:${password}`).toString('base64')}`;
    expect((await api({ id: '', authorization: basic('with:a:colon') }).get('/v3/projects')).status).to.equal(200);
    expect((await api({ id: '', authorization: basic('with') }).get('/v3/projects')).status).to.equal(401);
  });
});

describe('Anonymous sign-in', () => {
  it('anonymous sign-in creates a visitor of the project with a new identity each time', async () => {
    const { project } = await aProject();
    const [one, other] = await Promise.all(
      [1, 2].map(() => api().post('/v3/auth/signinAnonymously', { id_project: project.id, lastname: 'Lee' })),
    );
    expect(one?.body.user._id).to.equal(one?.body.user.id).and.not.equal(other?.body.user._id);
    expect(one?.body.user.fullName).to.match(/^guest#[0-9a-f]{4} Lee$/);
    const { status, body } = await api({ id: '', authorization: one?.body.token }).get(`/v3/projects/${project.id}`);
    expect({ status, code: body.code }).to.deep.equal({ status: 403, code: 'ROLE_TOO_LOW' });
  });

  it('anonymous sign-in returns 404 for an unknown project', async () => {
    for (const id_project of ['0'.repeat(24), 'none']) {
      expect((await api().post('/v3/auth/signinAnonymously', { id_project })).status).to.equal(404);
    }
  });

  it('anonymous sign-in rejects attributes that contain database operators (422)', async () => {
    const { project } = await aProject();
    const { status } = await api().post('/v3/auth/signinAnonymously', {
      id_project: project.id,
      attributes: { a: { $ne: 1 } },
    });
    expect(status).to.equal(422);
  });
});

describe('Projects', () => {
  it('creating a project adds its owner and a default department, and the project is listed', async () => {
    const person = await aPerson();
    const created = await api(person).post('/v3/projects', { name: 'First' });
    expect(created.body).to.include({
      name: 'First',
      status: 100,
      createdBy: person.id,
      trialExpired: false,
      trialDaysLeft: -14,
    });
    const [membership] = (await api(person).get('/v3/projects/')).body;
    expect(membership).to.include({ role: 'owner', roleType: 1, id_user: person.id, user_available: true });
    expect(membership.id_project).to.deep.equal(created.body);
    const departments = await Department.find({ id_project: created.body.id }).lean();
    expect(departments).to.have.lengthOf(1);
    expect(departments[0]).to.include({ name: 'Default Department', routing: 'assigned', default: true });
  });

  it('agents can read their project, and visitors can neither read nor create a project', async () => {
    const { project, agent, guest } = await aProject();
    expect((await api(agent).get(`/v3/projects/${project.id}`)).body).to.include({ _id: project.id, id: project.id });
    expect((await api(guest).get(`/v3/projects/${project.id}`)).status).to.equal(403);
    expect((await api(guest).post('/v3/projects', { name: 'Mine' })).status).to.equal(403);
  });
});
