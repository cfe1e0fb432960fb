/** Fields as deployed clients send them: empty, reserved, longer than their limit, or unknown. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bothProfiles, type SendCall } from '../support/both-profiles.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject } from '../support/people.ts';

const TOO_LONG_LENGTH = 5000;

describe('Fields sent by deployed clients', () => {
  const profiles = bothProfiles();
  let conversation: Awaited<ReturnType<typeof aConversation>>;

  before(async () => {
    conversation = await aConversation();
  });

  const openConversation = async (send: SendCall, attributes: object, name: string) => {
    const path = `${conversation.root}/support-group-${name}-${randomUUID()}/messages`;
    const body = { text: 'Hello', ...attributes };
    return send({ client: 'widget', method: 'POST', path, as: conversation.guest, body });
  };

  it('reserved keys in attributes are ignored', async () => {
    const reserved = { last_message: { text: 'x' }, abandoned_by_project_users: { a: 1 }, fully_abandoned: true };
    await profiles.each(async (send, profile) => {
      const reply = await openConversation(send, { attributes: { ...reserved, plan: 'gold' } }, profile);
      expect([reply.status, reply.body.attributes.plan]).to.deep.equal([200, 'gold']);
      const path = `${conversation.root}/${encodeURIComponent(reply.body.recipient)}`;
      const as = conversation.owner;
      const body = { ...reserved, tier: 2 };
      const patched = await send({ client: 'library', method: 'PATCH', path: `${path}/attributes`, as, body });
      expect([patched.status, patched.body.attributes.tier]).to.deep.equal([200, 2]);
      expect(patched.body.attributes).not.to.have.any.keys('abandoned_by_project_users', 'fully_abandoned');
      expect(patched.body.attributes.last_message?.text).not.to.equal('x');
    });
  });

  it('a null or empty optional field of an anonymous sign-in is treated as absent', async () => {
    const { project } = await aProject();
    await profiles.each(async (send) => {
      for (const emptyValue of [null, '']) {
        const fields = { firstname: emptyValue, lastname: emptyValue, email: emptyValue, attributes: emptyValue };
        const body = { id_project: project.id, ...fields };
        const reply = await send({ client: 'widget', method: 'POST', path: '/v3/auth/signinAnonymously', body });
        expect(reply.status).to.equal(200);
        expect(reply.body.user.firstname).to.match(/^guest#/);
      }
    });
  });

  it('a null or empty optional field of a sign-up, an invitation or an email is treated as absent', async () => {
    const { project, owner, one } = conversation;
    const anEmail = (name: string) => `${name}-${randomUUID()}@example.com`;
    await profiles.each(async (send) => {
      for (const emptyValue of [null, '']) {
        const account = { email: anEmail('new'), password: 'correct horse', firstname: 'Ann', lastname: 'Lee' };
        const calls = [
          { path: '/v3/auth/signup', body: { ...account, phone: emptyValue, disableEmail: 'true' } },
          {
            path: `/v3/${project.id}/project_users/invite`,
            body: {
              email: anEmail('invited'),
              role: 'agent',
              firstname: emptyValue,
              lastname: emptyValue,
              user_available: emptyValue,
            },
          },
          { path: `${one}/email/send`, body: { text: 'Hello', subject: emptyValue, replyto: emptyValue } },
        ];
        for (const call of calls) {
          const as = call.path.includes('signup') ? undefined : owner;
          const { status } = await send({ client: 'dashboard', method: 'POST', ...call, as });
          expect([call.path, emptyValue, status]).to.deep.equal([call.path, emptyValue, 200]);
        }
      }
    });
  });

  it('an update of a lead does not change fields that are sent as null or empty', async () => {
    const { project, owner } = conversation;
    await profiles.each(async (send) => {
      const call = (method: 'POST' | 'PUT', path: string, body: object) =>
        send({ client: 'dashboard', method, path: `/v3/${project.id}${path}`, as: owner, body });
      const lead = (await call('POST', '/leads', { fullname: 'Eva', email: 'eva@example.com' })).body;
      const tags = ['vip'];
      await call('PUT', `/leads/${lead._id}`, { company: 'Acme', tags });
      const emptyFields = { fullname: '', email: null, company: '', tags: null, status: '' };
      const updated = (await call('PUT', `/leads/${lead._id}`, emptyFields)).body;
      expect(updated).to.deep.include({ fullname: 'Eva', email: 'eva@example.com', company: 'Acme', tags });
    });
  });

  it('an empty profileStatus, workingStatus, id_group or segment value is accepted as an empty value', async () => {
    const { project, owner } = conversation;
    await profiles.each(async (send) => {
      const call = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) =>
        send({ client: 'dashboard', method, path: `/v3/${project.id}${path}`, as: owner, body });
      await call('PUT', '/project_users', { profileStatus: 'Lunch' });
      const free = { user_available: true, profileStatus: '' };
      expect((await call('PUT', '/project_users', free)).body.profileStatus ?? '').to.equal('');
      const one = `/requests/${conversation.request_id}`;
      await call('PATCH', `${one}/`, { workingStatus: 'pending' });
      expect((await call('PATCH', `${one}/`, { workingStatus: '' })).body.workingStatus ?? '').to.equal('');
      const groups = (await call('POST', '/groups', { name: 'G', members: [owner.id] })).body;
      const department = (await call('POST', '/departments', { name: 'D', id_group: groups._id })).body;
      const cleared = await call('PATCH', `/departments/${department._id}`, { id_group: '' });
      expect(cleared.body).not.to.have.property('id_group');
      const filters = [{ field: 'fullname', operator: '=', value: '' }];
      const preview = await call('POST', '/segments/preview', { filters });
      expect([preview.status, preview.body.count]).to.deep.equal([200, 0]);
    });
  });

  it('a sourcePage, userAgent or email subject that is longer than its limit is accepted and truncated', async () => {
    const long = `https://shop.example.com/?q=${'é'.repeat(TOO_LONG_LENGTH)}`;
    await profiles.each(async (send, profile) => {
      const reply = await openConversation(send, { sourcePage: long, userAgent: long, subject: long }, profile);
      expect(reply.status).to.equal(200);
      const path = `${conversation.root}/${encodeURIComponent(reply.body.recipient)}`;
      const { body } = await send({ client: 'dashboard', method: 'GET', path, as: conversation.owner });
      for (const name of ['sourcePage', 'userAgent']) {
        expect(body[name].length).to.be.within(4000, TOO_LONG_LENGTH - 1);
        expect(long.startsWith(body[name])).to.equal(true);
      }
      const mail = { text: 'Hello', subject: 's'.repeat(TOO_LONG_LENGTH), to: 'ann@example.com' };
      for (const to of [`${conversation.one}/email/send`, `/v3/${conversation.project.id}/emails/internal/send`])
        expect(
          (await send({ client: 'dashboard', method: 'POST', path: to, as: conversation.owner, body: mail })).status,
        ).to.equal(200);
    });
  });

  it('a segment with an unknown operator or field is refused with 422', async () => {
    const { project, agent } = conversation;
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
