/** Repeated POST calls after a crash or a change of `JWT_SECRET`. F2 is a failure described in docs/failures.md. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { IdempotencyKey } from '#shared/models/idempotency-key.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { KbUnansweredQuestion } from '#shared/models/kb-question.ts';
import { Project } from '#shared/models/project.ts';
import { api, call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aProject } from '../support/people.ts';
import { withBasicPassword } from '../support/sessions.ts';

describe('Idempotency-Key after a crash of the API', () => {
  /** Simulates a process that was killed after it had stored the record and before it stored the reply. */
  const deleteStoredReplies = () =>
    IdempotencyKey.updateMany(
      { status: { $ne: null } },
      { $unset: { status: 1, reply: 1 }, $set: { leaseUntil: new Date(0) } },
    );

  it('F2: repeating a POST with its Idempotency-Key after a crash creates no second record', async () => {
    const { project, owner } = await aProject();
    const headers = { 'idempotency-key': randomUUID() };
    const visitors = new Set<string>();
    for (const attempt of [1, 2, 3]) {
      const space = await api(owner).post(`/v3/${project.id}/kb/namespace`, { name: 'Once' }, headers);
      const created = await api(owner).post('/v3/projects', { name: 'Once' }, headers);
      const question = { namespace: project.id, question: 'Once?' };
      const logged = await api(owner).post(`/v3/${project.id}/kb/unanswered`, question, headers);
      const visit = { id_project: project.id, lastname: 'Once' };
      const visitor = await api().post('/v3/auth/signinAnonymously', visit, headers);
      visitors.add(visitor.body.user._id);
      const answers = [space, created, logged, visitor].map(({ status }) => status);
      expect([...answers, attempt]).to.deep.equal([200, 200, 200, 200, attempt]);
      await deleteStoredReplies();
    }
    expect(await KbNamespace.countDocuments({ id_project: project.id, name: 'Once' })).to.equal(1);
    expect(await KbUnansweredQuestion.countDocuments({ id_project: project.id, question: 'Once?' })).to.equal(1);
    expect(visitors.size).to.equal(1);
    expect(await Project.countDocuments({ createdBy: owner.id, name: 'Once' })).to.equal(1);
  });
});

describe('Idempotency-Key after a change of JWT_SECRET', () => {
  it('repeating a completed POST after a change of JWT_SECRET returns 409 and creates no second record', async () => {
    const { project, owner } = await aProject();
    const headers = { authorization: withBasicPassword(owner).authorization, 'idempotency-key': randomUUID() };
    const path = `/v3/${project.id}/kb/namespace`;
    const body = { name: 'Once' };
    expect((await api().post(path, body, headers)).status).to.equal(200);
    // The key that encrypts stored replies is derived from JWT_SECRET.
    const restarted = await anApiProcess({ JWT_SECRET: randomUUID() });
    const repeated = await call('POST', restarted.url + path, { body, headers });
    await restarted.stop('SIGKILL');
    expect([repeated.status, repeated.body.code]).to.deep.equal([409, 'REPLY_UNREADABLE']);
    expect(await KbNamespace.countDocuments({ id_project: project.id, name: 'Once' })).to.equal(1);
  });
});
