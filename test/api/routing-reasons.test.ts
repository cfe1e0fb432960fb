/** Routing decisions of a conversation, as agents read them. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aDepartment, putAsAgent, setUnavailable } from '../support/assignment-targets.ts';
import { aConversation } from '../support/conversations.ts';

describe('Routing decisions of a conversation', () => {
  it('GET …/routing returns the decisions, oldest first, with the reason why each teammate was chosen or not', async () => {
    const fixture = await aConversation();
    await setUnavailable(fixture, [fixture.admin.id]);
    await putAsAgent(fixture, 'departments', { departmentid: await aDepartment(fixture) });
    const { body } = await api(fixture.agent).get(`${fixture.one}/routing`);
    expect(body.request_id).to.equal(fixture.request_id);
    const [arrival, moved] = body.decisions;
    expect([arrival.trigger, arrival.outcome]).to.deep.equal(['arrival', 'assigned']);
    expect([moved.trigger, moved.outcome]).to.deep.equal(['departments', 'assigned']);
    const reasons = new Map(moved.considered.map((each: Record<string, string>) => [each.id_user, each.reason]));
    expect(reasons.get(moved.chosen)).to.equal('chosen');
    expect(reasons.get(fixture.admin.id)).to.equal('not_available');
    expect([...reasons.values()]).to.include('assigned_more_recently');
  });

  it('GET …/routing returns the latest five decisions', async () => {
    const fixture = await aConversation();
    const [one, two] = [await aDepartment(fixture), await aDepartment(fixture, { routing: 'pooled' })];
    for (const departmentid of [one, two, one, two, one, two])
      await putAsAgent(fixture, 'departments', { departmentid });
    const { body } = await api(fixture.agent).get(`${fixture.one}/routing`);
    expect(body.decisions.map(({ outcome }: { outcome: string }) => outcome)).to.deep.equal([
      'pooled',
      'assigned',
      'pooled',
      'assigned',
      'pooled',
    ]);
  });

  it('GET …/routing returns 404 for a conversation of another project', async () => {
    const [fixture, other] = [await aConversation(), await aConversation()];
    expect((await api(fixture.agent).get(`${fixture.root}/${other.request_id}/routing`)).status).to.equal(404);
  });
});
