/** Routing gives a conversation to the least busy teammate, and never one too many (decision 18). */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import * as participants from '#shared/domain/conversations/participants.ts';
import * as closing from '#shared/domain/conversations/closing.ts';
import { sweepClaims } from '#shared/domain/routing/claim-sweep.ts';
import { claim } from '#shared/domain/routing/claims.ts';
import { serveWaiting } from '#shared/domain/conversations/serving.ts';
import { newId } from '#shared/context.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Request } from '#shared/models/request.ts';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';

const MOST = 3;
const TEAM = 3;
const CONVERSATIONS = 8;
const CHANGES = 100;

type Where = { id_project: string; request_id: string };

const aTeam = async (limits: object = {}) => {
  const { project, guest, owner, admin, agent } = await aProject();
  await ProjectUser.updateMany({ id_project: project.id, roleType: 1 }, { $set: limits });
  const open = () => api(guest).post(`/v3/${project.id}/requests/${randomUUID()}/messages`, { text: 'Hi' });
  const loads = async () => {
    const team = await ProjectUser.find({ id_project: project.id, roleType: 1 }).lean();
    return team.map(({ number_assigned_requests, claims }) => [number_assigned_requests, claims?.length ?? 0]);
  };
  return { id_project: project.id, owner, admin, agent, guest, open, loads };
};

describe('Routing', () => {
  it('takes the fewest open conversations first, then the longest without one', async () => {
    const { open, owner, admin, agent } = await aTeam();
    const given: string[] = [];
    for (const _ of times(2 * TEAM, Number)) given.push((await open()).body.request.participants[0] ?? 'nobody');
    const team = [owner.id, admin.id, agent.id];
    expect(given.slice(0, TEAM)).to.have.members(team);
    expect(given.slice(TEAM)).to.deep.equal(given.slice(0, TEAM));
  });

  it('gives nobody more than its limit, however many come at once', async () => {
    const { id_project, open, loads } = await aTeam({ max_assigned_chat: MOST });
    await Promise.all(times(MOST * TEAM + 4, open));
    // All are of one new visitor: those that lost the race for its lead gave back what they held, for whoever waited.
    await serveWaiting(id_project);
    expect(await loads()).to.deep.equal(times(TEAM, () => [MOST, MOST]));
    expect(await Request.countDocuments({ id_project, status: 100, participants: [] })).to.equal(4);
  });

  it('passes over who is away, disabled or gone', async () => {
    const { id_project, owner, admin, agent, open } = await aTeam();
    const make = ({ id }: { id: string }, what: object) =>
      ProjectUser.updateOne({ id_project, id_user: id }, { $set: what });
    await make(owner, { user_available: false });
    await make(admin, { status: 'disabled' });
    await make(agent, { trashed: true });
    expect((await open()).body.request).to.deep.include({ status: 100, participants: [] });
  });

  it('counts for each teammate what it takes part in, whatever happens at once', async () => {
    const { id_project, owner, admin, agent, open } = await aTeam();
    const team = [owner.id, admin.id, agent.id];
    const ids = (await Promise.all(times(CONVERSATIONS, open))).map(({ body }) => body.request.request_id as string);
    const by = { kind: 'user', id: owner.id, role: 'owner' };
    const any = <T>(all: T[]): T => all[Math.floor(Math.random() * all.length)] as T;
    const verbs = [
      (where: Where) => closing.close(where, by),
      (where: Where) => closing.reopen(where),
      (where: Where) => participants.add(where, any(team), by),
      (where: Where) => participants.remove(where, any(team), by),
      (where: Where) => participants.set(where, team.slice(0, any([0, 1, 2])), by),
    ];
    await Promise.all(times(CHANGES, () => any(verbs)({ id_project, request_id: any(ids) })));
    for (const id_user of team) {
      const carried = { id_project, participantsAgents: id_user, status: { $lt: 1000 } };
      const member = await ProjectUser.findOne({ id_project, id_user }).lean();
      expect(member?.number_assigned_requests).to.equal(await Request.countDocuments(carried));
      expect(member?.claims).to.have.length(member?.number_assigned_requests ?? -1);
    }
  });

  it('drops what was claimed for a conversation that was never opened, once a minute has passed', async () => {
    const { id_project, owner, admin, agent, open, loads } = await aTeam();
    await open();
    await claim({ id_project, request: newId(), limit: null, among: [owner.id, admin.id, agent.id] });
    const before = (await loads()).flat().reduce((sum: number, load) => sum + (load ?? 0), 0);
    await sweepClaims();
    await sweepClaims(-1);
    const after = (await loads()).flat().reduce((sum: number, load) => sum + (load ?? 0), 0);
    expect([before, after]).to.deep.equal([4, 2]);
  });
});
