import { expect } from 'chai';
import { type EventName, payloadShape } from '#shared/events.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { addContent, aPageBody, aTextBody } from '../support/content-bodies.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

/** Checks each event of a project's knowledge bases against its schema, and returns the events. */
const knowledgeEvents = async (id_project: string) => {
  const log = (await relayedChanges(id_project)).filter(({ event }) => event.startsWith('kb.'));
  for (const { event, payload } of log)
    payloadShape(event as EventName).view.parse(JSON.parse(JSON.stringify(payload)));
  return log.map(({ event, record, payload }) => ({ event: event.slice(3), record, payload }));
};

describe('Events of knowledge bases', () => {
  it('creating, renaming and deleting a namespace emits events, and the last event contains the number of deleted contents', async () => {
    const { project, admin } = await aProject();
    const root = `/v3/${project.id}/kb/namespace`;
    const { body } = await api(admin).post(root, { name: 'Shop' });
    await api(admin).put(`${root}/${body.id}`, { name: 'Store' });
    await addContent(admin, project.id, aTextBody(body.id));
    await api(admin).delete(`${root}/${body.id}`);
    const events = await knowledgeEvents(project.id);
    expect(events.map(({ event }) => event)).to.deep.equal([
      ...['namespace.create', 'namespace.create', 'namespace.update', 'contents.add', 'namespace.delete'],
    ]);
    expect(events.map(({ payload }) => payload.id ?? payload.namespace)).to.deep.equal([
      ...[project.id, body.id, body.id, body.id, body.id],
    ]);
    expect(events.at(-1)?.payload).to.include({ name: 'Store', count: 1 });
    expect(events.at(-1)?.record).to.equal(events[1]?.record);
  });

  it('the progress, indexing, failure and deletion of a content emit events', async () => {
    const { project, admin } = await aProject();
    const [text, page] = [
      await addContent(admin, project.id, aTextBody(project.id)),
      await addContent(admin, project.id, aPageBody(project.id, { source: 'http://10.0.0.1/' })),
    ];
    await runJobs();
    await api(admin).delete(`/v3/${project.id}/kb/${text._id}`);
    const events = (await knowledgeEvents(project.id)).filter(({ event }) => event.startsWith('content'));
    expect(events.map(({ event, record }) => [event, record])).to.have.deep.members([
      ['contents.add', project.id],
      ['contents.add', project.id],
      ...[text, text, page].map(({ _id }) => ['content.progress', _id]),
      ['content.indexed', text._id],
      ['content.failed', page._id],
      ['content.delete', text._id],
    ]);
    expect(events.find(({ event }) => event === 'content.failed')?.payload.error).to.include({ attempt: 1 });
  });
});
