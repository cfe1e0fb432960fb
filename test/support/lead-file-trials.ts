/** Export and import of a long file of leads, while the worker that imports it is killed repeatedly. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Lead } from '#shared/models/lead.ts';
import { LeadImport } from '#shared/models/lead-import.ts';
import { LeadImportFault } from '#shared/models/lead-import-fault.ts';
import { aFleet } from './fleet.ts';
import { times } from './fleet-fixture.ts';
import { exportLeads, readLeads, someLeads, startImport } from './lead-files.ts';
import { aProject } from './people.ts';
import { random } from './seeded-random.ts';
import { waitUntil } from './wait-until.ts';

const ROWS_BETWEEN_BROKEN = 5000;
const KILLS = 5;
/** The maximum time between the first progress of a worker and the moment when it is killed. */
const MAX_LIFE_MS = 500;
/** The time within which a new worker must make progress. */
const PATIENCE_SECONDS = 300;

/** The file with an unreadable row before the first lead and after every 5,000 leads, and these rows' line numbers. */
const withBrokenRows = (file: string): { text: string; lines: number[] } => {
  const broken: number[] = [];
  let line = 1;
  const rows = file.split(/(?<=\n)(?=[0-9a-f]{24};)/).flatMap((row, index) => {
    const before = index % ROWS_BETWEEN_BROKEN === 1 ? ['too;short\n'] : [];
    if (before.length) broken.push(line++);
    line += row.split('\n').length - 1;
    return [...before, row];
  });
  return { text: rows.join(''), lines: broken };
};

/**
 * Exports and imports leads. Afterwards every lead must exist once and unchanged, and every unreadable row must be
 * reported with its line. Returns the number of bytes that were not yet imported after the last kill.
 */
export const importLeadsUnderKills = async (leads: number): Promise<number> => {
  const fleet = await aFleet();
  const [from, into] = await Promise.all([aProject(), aProject()]);
  const common = { id_project: from.project.id, createdBy: 'test' };
  await Lead.insertMany(someLeads(leads).map((lead) => ({ ...common, ...lead })));
  const { text, lines } = withBrokenRows(await exportLeads(from.owner, from.project.id, '?attributes=true'));
  const id_project = into.project.id;
  const { body } = await startImport(into, text);
  const readImport = () => LeadImport.findOne({ _id: body._id, id_project }).orFail().lean();
  const waitForProgress = async () => {
    const { position } = await readImport();
    await waitUntil(
      async () => (await readImport()).position > position || (await readImport()).status === 'done',
      PATIENCE_SECONDS,
    );
  };
  for (const _ of times(KILLS, Number)) {
    const worker = await fleet.worker();
    await waitForProgress();
    await sleep(random() * MAX_LIFE_MS);
    await worker.end('SIGKILL');
  }
  const left = (await readImport()).size - (await readImport()).position;
  await fleet.worker();
  await waitUntil(async () => (await readImport()).status === 'done', PATIENCE_SECONDS);
  expect(await readImport()).to.include({
    rows: leads + lines.length,
    created: leads,
    updated: 0,
    failed: lines.length,
  });
  expect(await LeadImportFault.distinct('line', { id_project })).to.deep.equal(lines);
  expect(await readLeads(id_project)).to.deep.equal(await readLeads(from.project.id));
  await fleet.close();
  return left;
};
