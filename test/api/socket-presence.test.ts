import { expect } from 'chai';
import { sweepPresence } from '#shared/domain/team/presence.ts';
import { PresenceProcess } from '#shared/models/presence-process.ts';
import { PresenceSession } from '#shared/models/presence-session.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { isId } from '#shared/wire/view.ts';
import type { Caller } from '../support/api.ts';
import { anApiProcess, theOtherApi } from '../support/api-process.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject, type Person } from '../support/people.ts';
import { openSocket } from '../support/socket-client.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('Presence', () => {
  let agent: Person;
  let guest: Caller;
  let owner: Person;
  let projectId: string;

  beforeEach(async () => {
    const fixture = await aProject();
    ({ agent, guest, owner } = fixture);
    projectId = fixture.project.id;
  });

  const presenceOf = async ({ id }: Caller) => {
    const person = isId(id) ? { id_user: id } : { uuid_user: id };
    return (await ProjectUser.findOne({ id_project: projectId, ...person }).orFail()).presence?.status;
  };
  const isClosed = async ({ id }: Caller) =>
    Boolean(await PresenceSession.exists({ person: new RegExp(`:${id}$`), closedAt: { $exists: true } }));
  const presenceEvents = async ({ id }: Caller) => {
    const changes = await relayedChanges(projectId);
    const payloads = changes.filter(({ event }) => event === 'project_user.update').map(({ payload }) => payload);
    const ofPerson = (payloads as { id_user?: { _id: unknown }; presence: unknown }[]).filter(
      ({ id_user }) => String(id_user?._id) === id,
    );
    return ofPerson.map(({ presence }) => presence);
  };

  it('a teammate is online from their first socket until their last one has been closed for the grace time', async () => {
    const [first, second] = [await openSocket(agent), await openSocket(agent)];
    await waitUntil(async () => (await presenceOf(agent)) === 'online');
    expect(await presenceEvents(agent)).to.deep.equal(['online']);
    first.socket.close();
    await first.ended();
    await sweepPresence(0);
    expect(await presenceOf(agent)).to.equal('online');
    second.socket.close();
    await waitUntil(() => isClosed(agent));
    await sweepPresence();
    expect(await presenceOf(agent)).to.equal('online');
    await sweepPresence(0);
    expect(await presenceOf(agent)).to.equal('offline');
    expect(await presenceEvents(agent)).to.deep.equal(['online', 'offline']);
  });

  it('a teammate who reconnects within the grace time, even to another process, stays online, and no event is emitted', async () => {
    const other = await theOtherApi();
    const first = await openSocket(agent);
    await waitUntil(async () => (await presenceOf(agent)) === 'online');
    first.socket.close();
    await waitUntil(() => isClosed(agent));
    const second = await openSocket(agent, { url: other.url });
    await waitUntil(async () => (await PresenceSession.countDocuments({ person: `user::${agent.id}` })) === 2);
    await sweepPresence(0);
    expect(await presenceOf(agent)).to.equal('online');
    expect(await presenceEvents(agent)).to.deep.equal(['online']);
    second.socket.terminate();
  });

  it('people connected to a killed process go offline when the lease of the process has expired', async () => {
    const process = await anApiProcess();
    const sockets = [
      await openSocket(agent, { url: process.url }),
      await openSocket(guest, { url: process.url }),
      await openSocket(owner),
    ];
    await waitUntil(async () =>
      (await Promise.all([agent, guest, owner].map(presenceOf))).every((status) => status === 'online'),
    );
    const { process: processId } = await PresenceSession.findOne({ person: `user::${agent.id}` }).orFail();
    await process.stop('SIGKILL');
    await sweepPresence();
    expect(await presenceOf(agent)).to.equal('online');
    const lease = await PresenceProcess.findOne({ _id: processId }).orFail();
    expect(lease.leaseUntil.getTime() - Date.now()).to.be.at.most(30_000);
    await PresenceProcess.updateOne({ _id: processId }, { leaseUntil: new Date() }); // ends the lease
    await sweepPresence();
    expect(await Promise.all([agent, guest, owner].map(presenceOf))).to.deep.equal(['offline', 'offline', 'online']);
    for (const { socket } of sockets) socket.terminate();
  });

  it('the topic of a teammate sends the presence of the teammate', async () => {
    const client = await openSocket(owner);
    const topic = `/${projectId}/project_users/users/${agent.id}`;
    expect((await client.subscribe(topic)).payload.message.presence).to.equal('offline');
    const socket = await openSocket(agent);
    const { payload } = await client.next((frame) => frame.payload?.method === 'UPDATE');
    expect(payload.message).to.include({ presence: 'online' });
    for (const each of [client, socket]) each.socket.terminate();
  });
});
