import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { IdempotencyKey } from '#shared/models/idempotency-key.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { KbQuestion } from '#shared/models/kb-question.ts';
import { Project } from '#shared/models/project.ts';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';

describe('An API that died before it answered', () => {
  /** As if the first try had been killed between its record and its answer. */
  const forgetAnswers = () =>
    IdempotencyKey.updateMany(
      { status: { $ne: null } },
      { $unset: { status: 1, reply: 1 }, $set: { lease: new Date(0) } },
    );

  it('makes no second record when it is asked again with the same Idempotency-Key (F2)', async () => {
    const { project, owner } = await aProject();
    const headers = { 'idempotency-key': randomUUID() };
    const visitors = new Set<string>();
    for (const attempt of [1, 2, 3]) {
      const space = await api(owner).post(`/v3/${project.id}/kb/namespace`, { name: 'Once' }, headers);
      const made = await api(owner).post('/v3/projects', { name: 'Once' }, headers);
      const asked = { namespace: project.id, question: 'Once?' };
      const logged = await api(owner).post(`/v3/${project.id}/kb/unanswered`, asked, headers);
      const visit = { id_project: project.id, lastname: 'Once' };
      const visitor = await api().post('/v3/auth/signinAnonymously', visit, headers);
      visitors.add(visitor.body.user._id);
      const answers = [space, made, logged, visitor].map(({ status }) => status);
      expect([...answers, attempt]).to.deep.equal([200, 200, 200, 200, attempt]);
      await forgetAnswers();
    }
    expect(await KbNamespace.countDocuments({ id_project: project.id, name: 'Once' })).to.equal(1);
    expect(await KbQuestion.countDocuments({ id_project: project.id, question: 'Once?' })).to.equal(1);
    expect(visitors.size).to.equal(1);
    expect(await Project.countDocuments({ createdBy: owner.id, name: 'Once' })).to.equal(1);
  });
});
