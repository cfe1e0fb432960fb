/** The emails and events at 50, 75, 95 and 100% of a quota. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { reachedCheckpoint } from '#shared/domain/quotas/checkpoints.ts';
import { User } from '#shared/models/user.ts';
import { api } from '../support/api.ts';
import { readLog } from '../support/changes-log.ts';
import { aProjectWithMailbox, type ProjectWithMailbox } from '../support/project-with-mailbox.ts';
import { setQuotas } from '../support/quotas.ts';
import notify from '../../workers/events/send-notifications.ts';

describe('reachedCheckpoint', () => {
  it('returns the highest checkpoint (50, 75, 95 or 100% of the limit) that has been reached, or 0', () => {
    const reached = [0, 9, 10, 14, 15, 18, 19, 20, 30].map((used) => reachedCheckpoint(used, 20));
    expect(reached).to.deep.equal([0, 0, 50, 50, 75, 75, 95, 100, 100]);
    expect([reachedCheckpoint(0, 0), reachedCheckpoint(1, 1), reachedCheckpoint(1, 3)]).to.deep.equal([0, 100, 0]);
  });
});

const CHECKPOINT_SUBJECT = /^Project has used (\d+)% of its (.+)$/;

describe('Checkpoints of quotas', () => {
  let fixture: ProjectWithMailbox;
  let id: string;

  beforeEach(async () => {
    fixture = await aProjectWithMailbox();
    id = fixture.project.id;
  });
  afterEach(() => fixture.mailbox.close());

  const open = () => api(fixture.agent).post(`/v3/${id}/requests/${randomUUID()}/messages`, { text: 'Hello' });
  const addTokens = (tokens: number) => api(fixture.agent).post(`/v3/${id}/quotes/incr/tokens`, { tokens, model: 'm' });
  const eventsNamed = async (name: string) => (await readLog(id)).filter(({ event }) => event === name);

  /** Handles all events so far. Returns the checkpoints in a person's emails, each in the form `50 conversations`. */
  const mailedTo = async ({ email }: { email: string }) =>
    (await fixture.subjects(email))
      .flatMap((subject) => {
        const [, checkpoint, unit] = CHECKPOINT_SUBJECT.exec(subject) ?? [];
        return checkpoint ? [`${checkpoint} ${unit}`] : [];
      })
      .toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));

  it('concurrent calls cause at most one email per checkpoint, and exactly one for the highest, to each owner and admin with a verified address', async () => {
    await setQuotas(id, { tokens: 20 });
    await User.updateOne({ _id: fixture.admin.id }, { $set: { emailverified: false } });
    await Promise.all(Array.from({ length: 24 }, () => addTokens(1)));
    const mailed = await mailedTo(fixture.owner);
    // A checkpoint is not announced if a concurrent call has announced a higher one first.
    expect(mailed.at(-1)).to.equal('100 tokens');
    expect(mailed).to.deep.equal(
      ['50 tokens', '75 tokens', '95 tokens', '100 tokens'].filter((one) => mailed.includes(one)),
    );
    expect([...(await mailedTo(fixture.admin)), ...(await mailedTo(fixture.agent))]).to.deep.equal([]);
    const checkpoints = await eventsNamed('quote.checkpoint');
    expect(checkpoints).to.have.length(mailed.length);
    // A job may run twice.
    for (const { _id, event, id_project } of checkpoints)
      await notify({ id: _id, event, id_project } as never, new AbortController().signal);
    expect(await mailedTo(fixture.owner)).to.deep.equal(mailed);
  });

  it('the email about a checkpoint states the quota, its limit and the period, and is not counted as an email of the project', async () => {
    await setQuotas(id, { requests: 2, email: 1 });
    await open();
    expect(await mailedTo(fixture.owner)).to.deep.equal(['50 conversations']);
    const text = await fixture.latest(fixture.owner.email);
    expect(text).to.match(
      /has used 50% of the 2 conversations that its plan allows in the period that began on\s\d{4}-\d\d-\d\d/,
    );
    const [event] = await eventsNamed('email.send.quote.checkpoint');
    expect(event?.payload).to.have.nested.property('project.profile.quotes.requests', 2);
    expect((await api(fixture.owner).post(`/v3/${id}/quotes`, {})).body.quotes.email).to.deep.equal({ quote: 0 });
  });

  it('a checkpoint is announced once per period, even if the limit is lowered, raised, or set again', async () => {
    const { owner } = fixture;
    await setQuotas(id, { tokens: 100, requests: 100 });
    await addTokens(40);
    expect(await mailedTo(owner)).to.deep.equal([]);
    await addTokens(40); // one call reaches two checkpoints
    expect(await mailedTo(owner)).to.deep.equal(['75 tokens']);
    await setQuotas(id, {});
    await setQuotas(id, { tokens: 160, requests: 2 });
    await addTokens(1);
    await open();
    await open();
    const all = ['50 conversations', '75 tokens', '100 conversations'];
    expect(await mailedTo(owner)).to.deep.equal(all);
    for (const requests of [1, 2]) {
      await setQuotas(id, { requests });
      expect((await open()).status).to.equal(403);
    }
    expect(await mailedTo(owner)).to.deep.equal(all);
  });
});
