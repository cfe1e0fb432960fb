/** Conversations, messages and leads as deployed clients read them, in both wire profiles. */
import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { User } from '#shared/models/user.ts';
import type { Caller } from '../support/api.ts';
import { bothProfiles, type Profile, type SendCall } from '../support/both-profiles.ts';
import { aConversation } from '../support/conversations.ts';
import { aPerson, aProject, aTeammate } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

type Json = ReturnType<typeof JSON.parse>;

const isDeployed = (profile: Profile): boolean => profile === 'deployed-clients';

/** Opens a new conversation with its first message. */
const openConversationAs = async (
  send: SendCall,
  caller: Caller,
  { project, ...body }: { project: string; [name: string]: unknown },
) => {
  const path = `/v3/${project}/requests/support-group-${randomUUID()}`;
  const reply = await send({ client: 'library', method: 'POST', path: `${path}/messages`, as: caller, body });
  return { path, reply, message: reply.body };
};

describe('Records read by deployed clients', () => {
  const { each } = bothProfiles();

  it('the requester of a conversation is the complete, current membership of its visitor', () =>
    each(async (send, profile) => {
      const { project, owner, guest, one } = await aConversation();
      const read = async (path = one): Promise<Json> =>
        (await send({ client: 'dashboard', method: 'GET', path, as: owner })).body;
      const conversation = await read();
      const expectedRequester = {
        ...{ role: 'guest', roleType: 2, isAuthenticated: false, user_available: true, status: 'active' },
        ...{ trashed: false, tags: [], permissions: [], number_assigned_requests: 0 },
        ...{ id_project: project.id, uuid_user: guest.id, createdBy: guest.id },
      };
      for (const requester of [conversation.requester, conversation.snapshot.requester]) {
        expect(requester)
          .to.deep.include(expectedRequester)
          .and.include.keys('_id', 'id', 'createdAt', 'updatedAt', '__v');
        expect(requester).to.not.have.any.keys('reservations', 'ownerGuard', 'password');
      }
      expect(conversation.requester.presence).to.equal(isDeployed(profile) ? undefined : 'offline');
      const path = `/v3/${project.id}/project_users/${conversation.requester._id}`;
      await send({ client: 'dashboard', method: 'PUT', path, as: owner, body: { user_available: false } });
      await waitUntil(async () => (await read()).requester.user_available === false);
      const { requests } = await read(`/v3/${project.id}/requests`);
      expect(requests[0].requester).to.include({ user_available: false, isAuthenticated: false });
      const own = await send({ client: 'widget', method: 'GET', path: `/v3/${project.id}/requests/me`, as: guest });
      expect(own.body.requests[0]).to.not.have.property('requester');
    }));

  it('the requester of a conversation that a teammate opens is the membership of that teammate, including the account but no secrets', () =>
    each(async (send) => {
      const { project, agent } = await aProject();
      const { message } = await openConversationAs(send, agent, { project: project.id, text: 'Call me back' });
      for (const requester of [message.request.requester, message.request.snapshot.requester]) {
        expect(requester).to.include({ role: 'agent', roleType: 1, isAuthenticated: true, status: 'active' });
        expect(requester.id_user).to.include({ _id: agent.id, email: agent.email, emailverified: false });
        expect(requester.id_user).to.not.have.any.keys('password', 'epoch');
      }
    }));

  it('the department of a conversation is the live record in deployed-clients and its id in the specification profile', () =>
    each(async (send, profile) => {
      const { project, owner, one, root, request_id } = await aConversation();
      const act = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<Json> => {
        const reply = await send({ client: 'dashboard', method, path, as: owner, body });
        expect(reply.status, path).to.equal(200);
        return reply.body;
      };
      const created = await act('POST', `/v3/${project.id}/departments`, { name: 'Sales', description: 'All of it' });
      const moved = await act('PUT', `${one}/departments`, { departmentid: created._id });
      await act('PUT', `/v3/${project.id}/departments/${created._id}`, { name: 'Shop' });
      const isLive = ({ department }: Json): boolean =>
        isDeployed(profile) ? department.name === 'Shop' : department === created._id;
      await waitUntil(async () => isLive(await act('GET', one)));
      const answers: [string, Json][] = [
        ['list', (await act('GET', `${root}?full_text=order`)).requests[0]],
        ['rename', await act('PATCH', one, { subject: 'Orders' })],
        ['attributes', await act('PATCH', `${one}/attributes`, { a: 1 })],
        ['note', await act('POST', `${one}/notes`, { text: 'Kind' })],
        ['tag', await act('PUT', `${one}/tag`, [{ tag: 'vip', color: '#f00' }])],
        ['participants', await act('PUT', `${one}/participants`, [owner.id])],
        ['message', (await act('POST', `${one}/messages`, { text: 'Hello' })).request],
        ['close', await act('PUT', `${one}/close`, {})],
        ['reopen', await act('PUT', `${one}/reopen`, {})],
      ];
      for (const [name, answer] of answers) expect(isLive(answer), name).to.equal(true);
      if (isDeployed(profile))
        expect(moved.department).to.include({
          _id: created._id,
          id: created._id,
          hasBot: false,
          description: 'All of it',
        });
      const bare = await act('GET', `${root}?no_populate=true`);
      expect(bare.requests.find((each: Json) => each.request_id === request_id).department).to.equal(created._id);
    }));

  it('a visitor sees only the public fields of the department of their conversation', () =>
    each(async (send, profile) => {
      const { guest, root, posted } = await aConversation();
      const { body } = await send({ client: 'widget', method: 'GET', path: `${root}/me`, as: guest });
      const [{ department }] = body.requests;
      if (!isDeployed(profile)) return expect(department).to.equal(posted.body.request.department);
      return expect(department)
        .to.include({ name: 'Default Department', default: true })
        .and.not.have.any.keys('createdBy', 'hasBot', 'createdAt');
    }));

  it('a conversation that is opened with participants has no department', () =>
    each(async (send) => {
      const { project, owner, agent } = await aProject();
      const { path } = await openConversationAs(send, owner, {
        project: project.id,
        text: 'Yours',
        participants: [agent.id],
      });
      const { body } = await send({ client: 'dashboard', method: 'GET', path, as: owner });
      expect(body)
        .to.deep.include({ participants: [agent.id] })
        .and.not.have.property('department');
    }));

  it('a participant from another project is refused with 422 in the specification profile and stored as an opaque id in deployed-clients', () =>
    each(async (send, profile) => {
      const { project, owner, one } = await aConversation();
      const stranger = await aPerson();
      const answers = [
        await send({
          client: 'library',
          method: 'POST',
          path: `${one}/participants`,
          as: owner,
          body: { member: stranger.id },
        }),
        await send({ client: 'library', method: 'PUT', path: `${one}/participants`, as: owner, body: [stranger.id] }),
        (await openConversationAs(send, owner, { project: project.id, text: 'Yours', participants: [stranger.id] }))
          .reply,
      ];
      for (const { status, body, text } of answers) {
        if (!isDeployed(profile)) {
          expect(status).to.equal(422);
          expect(body.msg).to.contain(stranger.id);
          continue;
        }
        expect(status, text).to.equal(200);
        expect((body.request ?? body).participants).to.include(stranger.id);
        expect(text).to.not.contain(stranger.email);
      }
      expect((await send({ client: 'library', method: 'GET', path: one, as: stranger })).status).to.equal(403);
    }));

  it('a direct message to a recipient outside the project is refused with 422 in the specification profile and stored in deployed-clients', () =>
    each(async (send, profile) => {
      const { project, owner } = await aProject();
      const [stranger, path] = [await aPerson(), `/v3/${project.id}/messages`];
      const body = { recipient: stranger.id, recipientFullname: 'Someone', text: 'Hello' };
      const reply = await send({ client: 'library', method: 'POST', path, as: owner, body });
      expect(reply.status).to.equal(isDeployed(profile) ? 200 : 422);
      expect(isDeployed(profile) ? reply.body.recipient : reply.body.msg).to.contain(stranger.id);
      expect(reply.text).to.not.contain(stranger.email);
    }));

  it('`senderFullname` of the first message of a conversation is the name of the person in `sender`, and that of a later message is the name of the caller', () =>
    each(async (send) => {
      const { project, owner, agent } = await aProject();
      await User.updateOne({ _id: agent.id }, { firstname: 'Bea', lastname: 'Fox' });
      const first = { project: project.id, text: 'For Bea', sender: agent.id, senderFullname: 'Nobody' };
      const { path, message } = await openConversationAs(send, owner, first);
      expect(message.senderFullname).to.equal('Bea Fox');
      const body = { text: 'Again', sender: agent.id };
      const next = await send({ client: 'library', method: 'POST', path: `${path}/messages`, as: owner, body });
      expect(next.body.senderFullname).to.equal('Ann Lee');
    }));

  it('in a conversation in the `form` channel, only the participating agent can write a message without `sender`', () =>
    each(async (send) => {
      const { project, owner, guest } = await aProject();
      const agent = await aTeammate(project.id, 'agent');
      const form = { project: project.id, text: 'A form', channel: { name: 'form' }, participants: [agent.id] };
      const { path, reply } = await openConversationAs(send, owner, { ...form, sender: guest.id });
      expect(reply.status, reply.text).to.equal(200);
      const postAs = async (as: Caller, more: object = {}) =>
        (await send({ client: 'library', method: 'POST', path: `${path}/messages`, as, body: { text: 'Hi', ...more } }))
          .status;
      expect([await postAs(agent), await postAs(owner), await postAs(guest)]).to.deep.equal([200, 403, 403]);
      expect([await postAs(owner, { sender: owner.id }), await postAs(guest, { sender: guest.id })]).to.deep.equal([
        200, 200,
      ]);
      const { body } = await send({ client: 'library', method: 'GET', path: `${path}/messages`, as: owner });
      expect(body.filter(({ text }: { text: string }) => text === 'Hi')).to.have.lengthOf(3);
    }));

  it('a new lead with the lead_id of an existing lead is refused with 409, and a lead created with a conversation has the phone number of the person who opens it', () =>
    each(async (send) => {
      const { project, owner, agent } = await aProject();
      const [phone, lead_id] = [`+1${randomInt(1e9, 1e10)}`, randomUUID()];
      const make = () =>
        send({ client: 'library', method: 'POST', path: `/v3/${project.id}/leads`, as: owner, body: { lead_id } });
      expect([(await make()).status, (await make()).status]).to.deep.equal([200, 409]);
      await User.updateOne({ _id: agent.id }, { phone });
      const { message } = await openConversationAs(send, agent, { project: project.id, text: 'Call me' });
      expect(message.request.lead.phone).to.equal(phone);
      expect(message.request.contact).to.include({ phone, email: agent.email });
    }));
});
