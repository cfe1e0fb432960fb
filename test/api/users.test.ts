import bcrypt from 'bcryptjs';
import { expect } from 'chai';
import { User } from '#shared/models/user.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aMailbox } from '../support/mailbox.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aPerson, aProject, PASSWORD } from '../support/people.ts';
import {
  anAccount,
  aSession,
  withBasicPassword,
  waitUntilSignedOut,
  signIn,
  authenticationStatus,
} from '../support/sessions.ts';

const NEW_PASSWORD = 'another long one';

describe('Accounts', () => {
  let mailbox: Awaited<ReturnType<typeof aMailbox>>;
  before(async () => {
    mailbox = await aMailbox();
  });
  after(() => mailbox.close());

  describe('password change', () => {
    it('changing a password requires the old one and invalidates every token and the Basic credentials', async () => {
      const person = await aSession();
      await authenticationStatus(withBasicPassword(person));
      const change = (oldpsw: string, newpsw: string) => api(person).put('/v3/users/changepsw', { oldpsw, newpsw });
      expect((await change('wrong one', NEW_PASSWORD)).body).to.include({ success: false, code: 'WRONG_PASSWORD' });
      const same = await change(PASSWORD, PASSWORD);
      expect([same.status, same.body.message]).to.deep.equal([403, 'The new password must differ from the old one']);
      expect((await change(PASSWORD, 'short')).body.errors[0])
        .to.include({ param: 'newpsw' })
        .and.not.have.key('value');
      expect((await change(PASSWORD, NEW_PASSWORD)).status).to.equal(200);
      await waitUntilSignedOut(person);
      await waitUntilSignedOut(withBasicPassword(person));
      expect(await authenticationStatus(withBasicPassword(person, NEW_PASSWORD))).to.equal(200);
    });

    it('signing in replaces a bcrypt hash with an argon2id hash', async () => {
      const { id, email } = await aPerson();
      await User.updateOne({ _id: id }, { $set: { password: await bcrypt.hash(PASSWORD, 4) } });
      const hashOf = async () => (await User.findOne({ _id: id }).orFail().lean()).password;
      expect((await signIn(email, 'wrong')).status).to.equal(401);
      expect(await hashOf()).to.match(/^\$2/);
      expect((await signIn(email)).status).to.equal(200);
      expect(await hashOf()).to.match(/^argon2id\$/);
      expect((await signIn(email)).status).to.equal(200);
    });
  });

  describe('profile', () => {
    it('an account reads its profile and updates only the given fields', async () => {
      const person = await aPerson();
      const own = await api(person).get('/v3/users');
      expect(own.body).to.have.all.keys('_id', 'email', 'firstname', 'lastname', 'emailverified');
      const profile = { firstname: 'Bea', attributes: { a: 1 }, public_website: 'https://example.com/', phone: null };
      const { body } = await api(person).put('/v3/users/', { ...profile, email: 'x@example.com', status: 0 });
      expect(body.updatedUser).to.deep.include({ firstname: 'Bea', lastname: 'Lee', email: person.email, status: 100 });
      expect(body.updatedUser.attributes).to.deep.equal({ a: 1 });
    });

    it('a PUT of an account that changes nothing writes nothing to the database', async () => {
      const person = await aPerson();
      const countWrites = async (body: object) =>
        (await commandsDuring(() => api(person).put('/v3/users', body)))
          .filter((command) =>
            ['update', 'insert', 'delete', 'findAndModify'].some((name) => name in (command as object)),
          )
          .map((command) => (command as { update?: string; insert?: string }).update ?? 'other');
      expect(await countWrites({})).to.deep.equal([]);
      expect(await countWrites({ firstname: 'Ann', description: null })).to.deep.equal([]);
      expect(await countWrites({ firstname: 'Bea' })).to.include('users');
      expect((await api(person).get('/v3/users')).body.firstname).to.equal('Bea');
    });

    it('the phone number of another account is rejected (403)', async () => {
      const [one, other] = await Promise.all([aPerson(), aPerson()]);
      const phone = `+41${Date.now()}`;
      const replies = await Promise.all([one, other].map((person) => api(person).put('/v3/users', { phone })));
      expect(replies.map(({ status }) => status)).to.have.members([200, 403]);
    });

    it('users_util returns only the public fields of an account', async () => {
      const person = await aPerson();
      await api(person).put('/v3/users', { description: 'Of sales', phone: `+44${Date.now()}` });
      const { body } = await api().get(`/v3/users_util/${person.id}`);
      expect(body).to.deep.equal({ _id: person.id, firstname: 'Ann', lastname: 'Lee', description: 'Of sales' });
      expect((await api().get('/v3/users_util/none')).status).to.equal(404);
    });

    it('GET users returns 404 for a visitor', async () => {
      const { guest } = await aProject();
      expect(await authenticationStatus(guest)).to.equal(404);
    });

    it('loginemail sends a link whose token signs the account in', async () => {
      const { project, owner } = await aProject();
      await User.updateOne({ _id: owner.id }, { $set: { emailverified: true } });
      const linkTarget = { id_project: project.id, namespace_id: project.id };
      expect((await api(owner).post('/v3/users/loginemail', { id_project: project.id })).status).to.equal(422);
      expect((await api(owner).post('/v3/users/loginemail', linkTarget)).status).to.equal(200);
      const { text = '' } = (await mailbox.mailsTo(owner.email)).at(-1) ?? {};
      const link = new URL((text.match(/http\S+/)?.[0] ?? '').replace('#/', ''));
      expect(
        await authenticationStatus({ id: owner.id, authorization: link.searchParams.get('token') ?? '' }),
      ).to.equal(200);
    });
  });

  describe('account closure', () => {
    it('closing an account anonymizes it, signs it out, removes its memberships and closes its own projects', async () => {
      const { project, owner } = await aProject();
      const elsewhere = await aProject();
      await User.updateOne({ _id: owner.id }, { $set: { emailverified: true } });
      await api(elsewhere.owner).post(`/v3/${elsewhere.project.id}/project_users/invite`, {
        ...{ email: owner.email, role: 'agent' },
      });
      const { body } = await api(owner).delete('/v3/users/');
      expect(body.updatedUser).to.include({ _id: owner.id, status: 0, firstname: 'Deleted', emailverified: false });
      expect(body.updatedUser.email).to.not.equal(owner.email);
      await waitUntilSignedOut(owner);
      expect((await signIn(owner.email)).status).to.equal(401);
      expect((await api().get(`/v3/projects/${project.id}/isopen`)).status).to.equal(404);
      const team = await api(elsewhere.owner).get(`/v3/${elsewhere.project.id}/project_users`);
      expect(JSON.stringify(team.body)).to.not.include(owner.id);
      const log = await relayedChanges(elsewhere.project.id);
      expect(log.filter(({ event }) => event === 'project_user.delete')).to.have.lengthOf(1);
      expect((await api().post('/v3/auth/signup', anAccount({ email: owner.email }))).status).to.equal(200);
    });

    it("DELETE users/physical removes the account's record", async () => {
      const person = await aPerson();
      const { body } = await api(person).delete('/v3/users/physical');
      expect(body).to.deep.equal({ success: true, user: { acknowledged: true, deletedCount: 1 } });
      expect(await User.countDocuments({ _id: person.id })).to.equal(0);
    });
  });
});
