/** Why a conversation went where it went, as agents read it. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aDepartment, away, put } from '../support/destinations.ts';

describe('GET routing', () => {
  it('tells of each teammate why it was chosen or not, the last decision last', async () => {
    const world = await aConversation();
    await away(world, [world.admin.id]);
    await put(world, 'departments', { departmentid: await aDepartment(world) });
    const { body } = await api(world.agent).get(`${world.one}/routing`);
    expect(body.request_id).to.equal(world.request_id);
    const [arrival, moved] = body.decisions;
    expect([arrival.trigger, arrival.outcome]).to.deep.equal(['arrival', 'assigned']);
    expect([moved.trigger, moved.outcome]).to.deep.equal(['departments', 'assigned']);
    const reasons = new Map(moved.considered.map((each: Record<string, string>) => [each.id_user, each.reason]));
    expect(reasons.get(moved.chosen)).to.equal('chosen');
    expect(reasons.get(world.admin.id)).to.equal('not_available');
    expect([...reasons.values()]).to.include('assigned_more_recently');
  });

  it('keeps the latest five', async () => {
    const world = await aConversation();
    const [one, two] = [await aDepartment(world), await aDepartment(world, { routing: 'pooled' })];
    for (const departmentid of [one, two, one, two, one, two]) await put(world, 'departments', { departmentid });
    const { body } = await api(world.agent).get(`${world.one}/routing`);
    expect(body.decisions.map(({ outcome }: { outcome: string }) => outcome)).to.deep.equal([
      'pooled',
      'assigned',
      'pooled',
      'assigned',
      'pooled',
    ]);
  });

  it('is 404 for a conversation of another project', async () => {
    const [world, other] = [await aConversation(), await aConversation()];
    expect((await api(world.agent).get(`${world.root}/${other.request_id}/routing`)).status).to.equal(404);
  });
});
