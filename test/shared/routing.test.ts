/**
 * Routing assigns a conversation to the agent with the fewest open conversations, and never exceeds an agent's limit on
 * open conversations.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '#shared/context.ts';
import { assignWaiting } from '#shared/domain/conversations/assignment/waiting-conversations.ts';
import * as participants from '#shared/domain/conversations/assignment/participants.ts';
import * as lifecycle from '#shared/domain/conversations/lifecycle/close.ts';
import { sweepReservations } from '#shared/domain/routing/reservation-sweep.ts';
import { reserve } from '#shared/domain/routing/reservations.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { random } from '../support/seeded-random.ts';

const CAPACITY = 3;
const TEAM_SIZE = 3;
const CONVERSATION_COUNT = 8;
const CHANGE_COUNT = 100;

type ConversationKey = { id_project: string; request_id: string };

const aTeam = async (limits: object = {}) => {
  const { project, guest, owner, admin, agent } = await aProject();
  await ProjectUser.updateMany({ id_project: project.id, roleType: 1 }, { $set: limits });
  const open = () => api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, { text: 'Hi' });
  const loads = async () => {
    const team = await ProjectUser.find({ id_project: project.id, roleType: 1 }).lean();
    return team.map(({ number_assigned_requests, reservations }) => [
      number_assigned_requests,
      reservations?.length ?? 0,
    ]);
  };
  return { id_project: project.id, owner, admin, agent, guest, open, loads };
};

describe('Routing', () => {
  it('routing chooses the agent with the fewest open conversations, and among equals the least recently assigned', async () => {
    const { open, owner, admin, agent } = await aTeam();
    const assignees: string[] = [];
    for (const _ of times(2 * TEAM_SIZE, Number))
      assignees.push((await open()).body.request.participants[0] ?? 'nobody');
    const team = [owner.id, admin.id, agent.id];
    expect(assignees.slice(0, TEAM_SIZE)).to.have.members(team);
    expect(assignees.slice(TEAM_SIZE)).to.deep.equal(assignees.slice(0, TEAM_SIZE));
  });

  it('concurrent arrivals never exceed the limit of an agent', async () => {
    const { id_project, open, loads } = await aTeam({ max_assigned_chat: CAPACITY });
    await Promise.all(times(CAPACITY * TEAM_SIZE + 4, open));
    // All conversations are from one new visitor. Calls that lose the race to create the lead of this visitor release
    // their reservations, so that waiting conversations can be assigned afterwards.
    await assignWaiting(id_project);
    expect(await loads()).to.deep.equal(times(TEAM_SIZE, () => [CAPACITY, CAPACITY]));
    expect(await Conversation.countDocuments({ id_project, status: 100, participants: [] })).to.equal(4);
  });

  it('routing skips teammates who are unavailable, disabled or trashed', async () => {
    const { id_project, owner, admin, agent, open } = await aTeam();
    const update = ({ id }: { id: string }, update: object) =>
      ProjectUser.updateOne({ id_project, id_user: id }, { $set: update });
    await update(owner, { user_available: false });
    await update(admin, { status: 'disabled' });
    await update(agent, { trashed: true });
    expect((await open()).body.request).to.deep.include({ status: 100, participants: [] });
  });

  it('number_assigned_requests and the number of reservations match the number of open conversations after concurrent changes', async () => {
    const { id_project, owner, admin, agent, open } = await aTeam();
    const team = [owner.id, admin.id, agent.id];
    const ids = (await Promise.all(times(CONVERSATION_COUNT, open))).map(
      ({ body }) => body.request.request_id as string,
    );
    const actor = { kind: 'user', id: owner.id, role: 'owner' };
    const pickAny = <T>(all: T[]): T => all[Math.floor(random() * all.length)] as T;
    const changes = [
      (key: ConversationKey) => lifecycle.close(key, actor),
      (key: ConversationKey) => lifecycle.reopen(key),
      (key: ConversationKey) => participants.add(key, pickAny(team), actor),
      (key: ConversationKey) => participants.remove(key, pickAny(team), actor),
      (key: ConversationKey) => participants.set(key, team.slice(0, pickAny([0, 1, 2])), actor),
    ];
    await Promise.all(times(CHANGE_COUNT, () => pickAny(changes)({ id_project, request_id: pickAny(ids) })));
    for (const id_user of team) {
      const openConversations = { id_project, participantsAgents: id_user, status: { $lt: 1000 } };
      const member = await ProjectUser.findOne({ id_project, id_user }).lean();
      expect(member?.number_assigned_requests).to.equal(await Conversation.countDocuments(openConversations));
      expect(member?.reservations).to.have.length(member?.number_assigned_requests ?? -1);
    }
  });

  it('the reservation sweep removes a reservation that is older than a minute and whose conversation does not exist', async () => {
    const { id_project, owner, admin, agent, open, loads } = await aTeam();
    await open();
    await reserve({ id_project, request: newId(), limit: null, userIds: [owner.id, admin.id, agent.id] });
    const sumLoads = async () => (await loads()).flat().reduce((sum: number, load) => sum + (load ?? 0), 0);
    const before = await sumLoads();
    await sweepReservations();
    const whileYoung = await sumLoads();
    await sweepReservations(-1);
    expect([before, whileYoung, await sumLoads()]).to.deep.equal([4, 4, 2]);
  });
});
