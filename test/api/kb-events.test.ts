import { expect } from 'chai';
import { KbContentView } from '#shared/models/kb-content.ts';
import { KbNamespaceView } from '#shared/models/kb-namespace.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { added, aPage, aText } from '../support/contents.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

/** What was told of a project's knowledge bases; each payload is what its View says. */
const toldOf = async (id_project: string) => {
  const log = (await changes(id_project)).filter(({ event }) => event.startsWith('kb.'));
  for (const { event, payload } of log)
    (event.startsWith('kb.content') ? KbContentView : KbNamespaceView).parse(JSON.parse(JSON.stringify(payload)));
  return log.map(({ event, record, payload }) => ({ event: event.slice(3), record, payload }));
};

describe('What happens to knowledge bases is told', () => {
  it('when one is made, renamed and deleted with what is in it', async () => {
    const { project, admin } = await aProject();
    const root = `/v3/${project.id}/kb/namespace`;
    const { body } = await api(admin).post(root, { name: 'Shop' });
    await api(admin).put(`${root}/${body.id}`, { name: 'Store' });
    const content = await added(admin, project.id, aText(body.id));
    await api(admin).delete(`${root}/${body.id}`);
    const told = await toldOf(project.id);
    expect(told.map(({ event }) => event)).to.deep.equal([
      ...['namespace.create', 'namespace.create', 'namespace.update', 'content.delete', 'namespace.delete'],
    ]);
    expect(told.map(({ payload }) => payload.id ?? String(payload._id))).to.deep.equal([
      ...[project.id, body.id, body.id, content._id, body.id],
    ]);
    expect(told.at(-1)?.payload).to.include({ name: 'Store' });
    expect(told.at(-1)?.record).to.equal(told[1]?.record);
  });

  it('when a content is indexed, fails, and is deleted', async () => {
    const { project, admin } = await aProject();
    const [text, page] = [
      await added(admin, project.id, aText(project.id)),
      await added(admin, project.id, aPage(project.id, { source: 'http://10.0.0.1/' })),
    ];
    await runJobs();
    await api(admin).delete(`/v3/${project.id}/kb/${text._id}`);
    const told = (await toldOf(project.id)).filter(({ event }) => event.startsWith('content'));
    expect(told.map(({ event, record }) => [event, record])).to.have.deep.members([
      ['content.indexed', text._id],
      ['content.failed', page._id],
      ['content.delete', text._id],
    ]);
    expect(told.find(({ event }) => event === 'content.failed')?.payload.error).to.include({ attempt: 1 });
  });
});
