/**
 * Each part of a running system hangs once, and the clock of the API and the worker jumps. The long form with all rows
 * of docs/degradation.md is test/faults/degradation.faults.ts.
 */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { aProjectWithCalls, type ProjectWithCalls } from '../support/degradation-calls.ts';
import { CLOCK_ROWS, DOWN_ROWS, HANGING_ROWS, runRow } from '../support/degradation-rows.ts';
import { aDegradableSystem, type DegradableSystem } from '../support/degradation-system.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

/** The row about full disks, which test/api/full-disk.test.ts tests. */
const DISK_ROW = 'D15';

describe('Degradation', function () {
  this.timeout(240_000);
  let system: DegradableSystem;
  let project: ProjectWithCalls;

  before(async function () {
    system = await aDegradableSystem().catch((error: Error) =>
      skipWithReason(this, `Qdrant or the S3 server s3rver cannot be installed: ${error.message}`),
    );
    project = await aProjectWithCalls(system);
  });
  after(() => system?.close());

  for (const row of [...HANGING_ROWS, ...CLOCK_ROWS])
    it(`${row.id} (${row.outage}): calls fail only as docs/degradation.md states, and all work again without a restart`, async () => {
      await runRow(system, project, row);
    });
});

describe('docs/degradation.md', () => {
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

  it('the table of outages has exactly the rows that are tested', async () => {
    const ids = [...(await read('docs/degradation.md')).matchAll(/^\| (D\d+) \|/gm)].map(([, id]) => id);
    const tested = [...HANGING_ROWS, ...DOWN_ROWS, ...CLOCK_ROWS].map(({ id }) => id);
    expect(ids).to.have.members([...tested, DISK_ROW]);
    expect(await read('test/api/full-disk.test.ts')).to.include(`${DISK_ROW}: `);
  });
});
