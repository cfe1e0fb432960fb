/** F1, F3, F5, F6, F8 and F11 are failures described in docs/failures.md. */
import { expect } from 'chai';
import { markIndexMissing } from '#shared/domain/knowledge/indexing/chunks.ts';
import { currentIndexId } from '#shared/domain/knowledge/indexing/index-registry.ts';
import { type JobName, jobs } from '#shared/jobs.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import {
  aChangingPage,
  deliverThreeTimes,
  expectIndexedOnce,
  indexConcurrently,
} from '../support/concurrent-attempts.ts';
import { aSite } from '../support/fake-site.ts';
import { aFleetFixture, type FleetFixture, times } from '../support/fleet-fixture.ts';
import { importThroughPause, importThroughRestart, importUnderKills } from '../support/kb-import-kill-trials.ts';
import {
  importThroughRedisFlush,
  importThroughStoreDeletion,
  importWithFailingPages,
} from '../support/kb-import-loss-trials.ts';
import { sampleOf } from '../support/schema-samples.ts';
import { schemaOf } from '../support/valid-call.ts';

describe('Knowledge base import by several processes', () => {
  let fixture: FleetFixture;

  before(async () => {
    fixture = await aFleetFixture();
  });
  after(() => fixture.close());

  it('F1: an import is completed, with each page indexed once, when workers and the API are killed at random moments', () =>
    importUnderKills(fixture, { kills: 1, delayMs: 200, waiting: 4, maxGapMs: 1600 }));

  it('F11: a worker that receives SIGTERM during an import exits with 0, and no page is fetched twice', () =>
    importThroughRestart(fixture, 'restart', 24));

  it('chunks written by a worker that was paused beyond its lease are removed', () =>
    importThroughPause(fixture, 'pause'));

  it('F3: an import is completed, and the periodic jobs run again, when Redis loses all data', () =>
    importThroughRedisFlush(fixture, 'flush', 16));

  it('F8: a deleted index is rebuilt without calling the embedding model', () =>
    importThroughStoreDeletion(fixture, 'lost', 8));

  it('F6: only the pages that cannot be indexed fail, and all others are indexed', () =>
    importWithFailingPages(fixture, { good: 6, bad: 3 }));
});

/** Returns a payload that the job accepts: fixed values for some fields, and the id `record` for all other strings. */
const payloadOf = (name: JobName, record: string) => {
  const sample = Object.entries(sampleOf(schemaOf(jobs[name].payload)) as object);
  return {
    ...Object.fromEntries(sample.map(([field, value]) => [field, typeof value === 'string' ? record : value])),
    ...{ event: 'lead.update', listener: 'events.sync-lead', position: '0', slot: 1, events: [] },
  };
};

describe('Jobs delivered more than once', () => {
  let site: Awaited<ReturnType<typeof aSite>>;

  before(async () => {
    site = await aSite();
  });
  after(() => site.close());

  it('two workers that index one content at the same time leave one result', async () => {
    const { id, change } = await aChangingPage(site);
    for (const index of times(2, Number)) {
      await change(index);
      await indexConcurrently(id);
      await expectIndexedOnce(id);
    }
  });

  it('F5: after every job has been delivered three times, a content has been fetched once and each of its chunks exists once', async () => {
    const { id, path, change } = await aChangingPage(site);
    await change(0);
    for (const name of Object.keys(jobs) as JobName[]) {
      await markIndexMissing({ id_project: id, namespace: id });
      await deliverThreeTimes(name, payloadOf(name, id));
      await expectIndexedOnce(id);
      if (name === 'bulk.rebuild-index')
        expect(await KbNamespace.exists({ id_project: id, id, indexId: await currentIndexId() })).to.not.equal(null);
    }
    expect(site.hits.get(path)).to.equal(1);
  });
});
