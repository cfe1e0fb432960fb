import { expect } from 'chai';
import { reclaimExpired } from '#shared/domain/knowledge/indexing/attempt-leases.ts';
import { takeNextContent } from '#shared/domain/knowledge/indexing/attempts.ts';
import * as imports from '#shared/domain/knowledge/imports.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbImport } from '#shared/models/kb-import.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

const HOURS =
  '<main><h1>Hours</h1><p>The shop opens at nine in the morning and closes at six in the evening.</p></main>';
const BUSY: FakePage = { status: 503, headers: { 'retry-after': '240' } };

type Stage = { stage: string; ms?: number; bytes?: number };

describe('Progress of contents and imports', () => {
  let site: Awaited<ReturnType<typeof aSite>>;
  let fixture: Awaited<ReturnType<typeof aProject>>;

  before(async () => {
    fixture = await aProject();
    site = await aSite({ '/hours': HOURS, '/busy': BUSY, '/gone': { status: 410 } }, { etags: true });
  });
  after(() => site.close());

  const root = () => `/v3/${fixture.project.id}/kb`;
  const get = async (path: string) => {
    const { status, text, body } = await api(fixture.admin).get(`${root()}/${path}`);
    expect(status, text).to.equal(200);
    return body;
  };
  const addPage = async (path: string): Promise<string> => {
    const page = { name: 'Page', type: 'url', source: site.url(path), namespace: fixture.project.id };
    return (await api(fixture.admin).post(root(), page)).body.value._id;
  };
  const attemptsAt = async (path: string, times = 1) => {
    let id = '';
    for (let time = 0; time < times; time++) {
      id = await addPage(path);
      await runJobs();
    }
    return (await get(`${id}/timeline`)).attempts;
  };
  const namesOf = (stages: Stage[]) => stages.map(({ stage }) => stage);

  it('the timeline of a page shows every stage with its duration, and the size of the page in bytes', async () => {
    const [attempt] = await attemptsAt('/hours');
    expect(attempt).to.include({ outcome: 'indexed', chunks: 1 });
    expect(namesOf(attempt.stages)).to.deep.equal(['fetch', 'parse', 'embed', 'store']);
    expect(attempt.stages[0].bytes).to.equal(HOURS.length);
    for (const { ms } of attempt.stages) expect(ms).to.be.within(0, attempt.ms);
    expect(Date.parse(attempt.ended_at) - Date.parse(attempt.started_at)).to.equal(attempt.ms);
  });

  it('the timeline shows that an unchanged page was neither parsed nor embedded', async () => {
    const [attempt] = await attemptsAt('/hours', 2);
    expect(attempt).to.include({ outcome: 'unchanged' }).and.not.have.property('embedded');
    expect(attempt.stages.map(({ stage, bytes }: Stage) => [stage, bytes])).to.deep.equal([['fetch', 0]]);
  });

  it('the timeline shows the stage of a failure, the reason for it, and the time of the next attempt', async () => {
    const [failed] = await attemptsAt('/gone');
    expect(failed).to.include({ outcome: 'failed', code: 'HTTP_410' }).and.not.have.property('next_attempt_at');
    expect(failed.hint).to.include('delete this content');
    expect(namesOf(failed.stages)).to.deep.equal(['fetch']);
    const [retried] = await attemptsAt('/busy');
    expect(retried).to.include({ outcome: 'retry', code: 'HTTP_503' });
    expect(Date.parse(retried.next_attempt_at)).to.be.above(Date.now());
  });

  it('a content keeps its last ten attempts, the newest first', async () => {
    const attempts = await attemptsAt('/gone', 12);
    expect(attempts).to.have.length(10);
    const ids = attempts.map(({ id }: { id: string }) => id);
    expect(ids).to.deep.equal(ids.toSorted().toReversed());
  });

  it('the timeline shows a running attempt, and one whose worker was killed', async () => {
    const id = await addPage('/hours');
    const attempt = await takeNextContent(fixture.project.id);
    expect(attempt?.contentId).to.equal(id);
    const [running] = (await get(`${id}/timeline`)).attempts;
    expect(running).to.include({ id: attempt?.id, outcome: 'running' }).and.not.have.property('ended_at');
    const { id: id_project } = fixture.project;
    await KbContent.updateOne({ _id: id, id_project }, { $set: { leaseUntil: new Date(0) } });
    await reclaimExpired();
    const timeline = await get(`${id}/timeline`);
    expect(timeline.attempts[0]).to.include({ id: attempt?.id, outcome: 'aborted', code: 'WORKER_LOST' });
    expect(timeline.content).to.include({ status: -1 });
    await runJobs();
  });

  it('an import reports its progress as a whole, and its contents emit no progress events', async () => {
    const { project, admin } = await aProject();
    const path = `/v3/${project.id}/kb`;
    const list = ['/hours', '/gone', '/busy'].map((page) => site.url(page));
    const added = await api(admin).post(`${path}/multi?namespace=${project.id}`, { list });
    const { import_id } = added.body[0];
    const read = async () => (await api(admin).get(`${path}/imports/${import_id}`)).body;
    expect(await read()).to.include({ total: 3, queued: 3, indexed: 0 });
    await runJobs();
    const waiting = await read();
    expect(waiting).to.include({ total: 3, queued: 1, indexed: 1, failed: 1 }).and.not.have.property('finished_at');
    expect(
      waiting.reasons.map(({ status, code, count }: Record<string, unknown>) => [status, code, count]),
    ).to.have.deep.members([
      [400, 'HTTP_410', 1],
      [-1, 'HTTP_503', 1],
    ]);
    site.pages['/busy'] = HOURS;
    await KbContent.updateMany({ id_project: project.id, status: -1 }, { $set: { nextAttemptAt: new Date(0) } });
    await api(admin).post(path, { name: 'Note', type: 'text', source: 'note', content: 'Ten', namespace: project.id });
    await runJobs();
    const [listed] = (await api(admin).get(`${path}/imports?namespace=${project.id}`)).body;
    expect(listed).to.include({ _id: import_id, type: 'url_list', total: 3, indexed: 2, failed: 1 });
    expect(listed).to.have.property('finished_at');
    const changes = await relayedChanges(project.id);
    const payloadsOf = (name: string) => changes.filter(({ event }) => event === name).map(({ payload }) => payload);
    expect(payloadsOf('kb.import.progress').at(-1)).to.include({ indexed: 2, failed: 1 });
    expect(payloadsOf('kb.content.progress').map(({ source }) => source)).to.deep.equal(['note', 'note']);
  });

  it('an import whose contents are still being stored is not finished, unless the process that stores them has died', async () => {
    const { project } = await aProject();
    const origin = { id_project: project.id, namespace: project.id, type: 'url_list' };
    const id = await imports.start(origin, 2);
    const isFinished = async () => Boolean((await imports.find(project.id, id)).finished_at);
    await imports.reportProgress(project.id, 0);
    expect(await isFinished()).to.equal(false);
    // The process is assumed to be dead if the import has not been stored completely within ten minutes.
    const started = new Date(Date.now() - 3_600_000);
    await KbImport.collection.updateOne({ id_project: project.id }, { $set: { createdAt: started } });
    await imports.reportAll();
    // reportAll skips imports whose contents were counted in the last second.
    expect(await isFinished()).to.equal(false);
    await imports.reportProgress(project.id, 0);
    expect(await isFinished()).to.equal(true);
  });

  it('an unknown import or content returns 404', async () => {
    const unknown = '0'.repeat(24);
    for (const path of [`imports/${unknown}`, `${unknown}/timeline`, 'imports/x', 'x/timeline'])
      expect((await api(fixture.admin).get(`${root()}/${path}`)).status, path).to.equal(404);
  });
});
