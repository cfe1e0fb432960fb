/** The fields that public clients send, as they send them: empty, reserved, longer than is kept, or unknown. */
import { expect } from 'chai';
import { bothProfiles, type Send } from '../support/both-profiles.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject } from '../support/people.ts';

const TOO_LONG = 5000;

describe('The fields that public clients send', () => {
  const profiles = bothProfiles();
  let talk: Awaited<ReturnType<typeof aConversation>>;

  before(async () => {
    talk = await aConversation();
  });

  const opened = async (send: Send, attributes: object, name: string) => {
    const path = `${talk.root}/support-group-${name}-${Math.random()}/messages`;
    const body = { text: 'Hello', ...attributes };
    return send({ client: 'widget', method: 'POST', path, as: talk.guest, body });
  };

  it('D25: reserved keys in attributes are ignored', async () => {
    const reserved = { last_message: { text: 'x' }, abandoned_by_project_users: { a: 1 }, fully_abandoned: true };
    await profiles.each(async (send, profile) => {
      const reply = await opened(send, { attributes: { ...reserved, plan: 'gold' } }, profile);
      expect([reply.status, reply.body.attributes.plan]).to.deep.equal([200, 'gold']);
      const path = `${talk.root}/${encodeURIComponent(reply.body.recipient)}`;
      const as = talk.owner;
      const body = { ...reserved, tier: 2 };
      const patched = await send({ client: 'library', method: 'PATCH', path: `${path}/attributes`, as, body });
      expect([patched.status, patched.body.attributes.tier]).to.deep.equal([200, 2]);
      expect(patched.body.attributes).not.to.have.any.keys('abandoned_by_project_users', 'fully_abandoned');
      expect(patched.body.attributes.last_message?.text).not.to.equal('x');
    });
  });

  it('D26: an optional field of a visitor that is null or empty is absent', async () => {
    const { project } = await aProject();
    await profiles.each(async (send) => {
      for (const nothing of [null, '']) {
        const fields = { firstname: nothing, lastname: nothing, email: nothing, attributes: nothing };
        const body = { id_project: project.id, ...fields };
        const reply = await send({ client: 'widget', method: 'POST', path: '/v3/auth/signinAnonymously', body });
        expect([reply.status, reply.body.user.firstname]).to.deep.equal([200, reply.body.user.firstname]);
        expect(reply.body.user.firstname).to.match(/^guest#/);
      }
    });
  });

  it('D26: an optional field of a new account, an invitation or a mail that is null or empty is absent', async () => {
    const { project, owner, one } = talk;
    const at = (name: string) => `${name}-${Math.random()}@example.com`;
    await profiles.each(async (send) => {
      for (const nothing of [null, '']) {
        const account = { email: at('new'), password: 'correct horse', firstname: 'Ann', lastname: 'Lee' };
        const calls = [
          { path: '/v3/auth/signup', body: { ...account, phone: nothing, disableEmail: 'true' } },
          {
            path: `/v3/${project.id}/project_users/invite`,
            body: {
              email: at('invited'),
              role: 'agent',
              firstname: nothing,
              lastname: nothing,
              user_available: nothing,
            },
          },
          { path: `${one}/email/send`, body: { text: 'Hello', subject: nothing, replyto: nothing } },
        ];
        for (const call of calls) {
          const as = call.path.includes('signup') ? undefined : owner;
          const { status } = await send({ client: 'dashboard', method: 'POST', ...call, as });
          expect([call.path, nothing, status]).to.deep.equal([call.path, nothing, 200]);
        }
      }
    });
  });

  it('D26: a field that is null or empty in a change stays as it is', async () => {
    const { project, owner } = talk;
    await profiles.each(async (send) => {
      const call = (method: 'POST' | 'PUT', path: string, body: object) =>
        send({ client: 'dashboard', method, path: `/v3/${project.id}${path}`, as: owner, body });
      const lead = (await call('POST', '/leads', { fullname: 'Eva', email: 'eva@example.com' })).body;
      const tags = ['vip'];
      await call('PUT', `/leads/${lead._id}`, { company: 'Acme', tags });
      const nothing = { fullname: '', email: null, company: '', tags: null, status: '' };
      const kept = (await call('PUT', `/leads/${lead._id}`, nothing)).body;
      expect(kept).to.deep.include({ fullname: 'Eva', email: 'eva@example.com', company: 'Acme', tags });
    });
  });

  it('D26: a field that says something by being empty is taken as empty', async () => {
    const { project, owner } = talk;
    await profiles.each(async (send) => {
      const call = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) =>
        send({ client: 'dashboard', method, path: `/v3/${project.id}${path}`, as: owner, body });
      await call('PUT', '/project_users', { profileStatus: 'Lunch' });
      const free = { user_available: true, profileStatus: '' };
      expect((await call('PUT', '/project_users', free)).body.profileStatus ?? '').to.equal('');
      const one = `/requests/${talk.request_id}`;
      await call('PATCH', `${one}/`, { workingStatus: 'pending' });
      expect((await call('PATCH', `${one}/`, { workingStatus: '' })).body.workingStatus ?? '').to.equal('');
      const groups = (await call('POST', '/groups', { name: 'G', members: [owner.id] })).body;
      const department = (await call('POST', '/departments', { name: 'D', id_group: groups._id })).body;
      const cleared = await call('PATCH', `/departments/${department._id}`, { id_group: '' });
      expect(cleared.body).not.to.have.property('id_group');
      const filters = [{ field: 'fullname', operator: '=', value: '' }];
      const found = await call('POST', '/segments/preview', { filters });
      expect([found.status, found.body.count]).to.deep.equal([200, 0]);
    });
  });

  it('D26: texts that are only kept are cut at their limit', async () => {
    const long = `https://shop.example.com/?q=${'é'.repeat(TOO_LONG)}`;
    await profiles.each(async (send, profile) => {
      const reply = await opened(send, { sourcePage: long, userAgent: long, subject: long }, profile);
      expect(reply.status).to.equal(200);
      const path = `${talk.root}/${encodeURIComponent(reply.body.recipient)}`;
      const { body } = await send({ client: 'dashboard', method: 'GET', path, as: talk.owner });
      for (const name of ['sourcePage', 'userAgent']) {
        expect(body[name].length).to.be.within(4000, TOO_LONG - 1);
        expect(long.startsWith(body[name])).to.equal(true);
      }
      const mail = { text: 'Hello', subject: 's'.repeat(TOO_LONG), to: 'ann@example.com' };
      for (const to of [`${talk.one}/email/send`, `/v3/${talk.project.id}/emails/internal/send`])
        expect(
          (await send({ client: 'dashboard', method: 'POST', path: to, as: talk.owner, body: mail })).status,
        ).to.equal(200);
    });
  });

  it('D27: an unknown operator or field of a segment is refused', async () => {
    const { project, agent } = talk;
    const wrong = [
      { field: 'fullname', operator: 'resembles', value: 'Ann' },
      { field: 'shoe_size', operator: '=', value: 40 },
    ];
    await profiles.each(async (send) => {
      for (const filter of wrong) {
        for (const path of [`/v3/${project.id}/segments`, `/v3/${project.id}/segments/preview`]) {
          const body = { name: 'S', filters: [filter] };
          const reply = await send({ client: 'dashboard', method: 'POST', path, as: agent, body });
          expect([path, reply.status]).to.deep.equal([path, 422]);
          expect(reply.body.errors[0].path).to.match(/^filters\.0\.(operator|field)$/);
        }
      }
    });
  });
});
