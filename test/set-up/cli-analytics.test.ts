/** `npm run cli -- analytics …` */
import { expect } from 'chai';
import { rebuild as compareRollups } from '#shared/domain/analytics/rebuild.ts';
import { AnalyticsContribution } from '#shared/models/analytics-contribution.ts';
import { AnalyticsRebuild } from '#shared/models/analytics-rebuild.ts';
import { AnalyticsRollup } from '#shared/models/analytics-rollup.ts';
import { progressPrinter } from '../../scripts/cli/progress.ts';
import { seededRandom } from '../../scripts/seed/seeded-random.ts';
import { seedConversations } from '../support/analytics-records.ts';
import { hex } from '../support/chunk-rows.ts';
import { aCliProcess, type CliProcess, type CliResult } from '../support/cli.ts';
import { aProject } from '../support/people.ts';

const CONVERSATIONS = 20;

const aProjectWithRecords = async (): Promise<string> => {
  const id_project = (await aProject()).project.id;
  const options = { count: CONVERSATIONS, messagesEach: 2, random: seededRandom(1), now: Date.now() };
  await seedConversations(id_project, options);
  return id_project;
};

describe('npm run cli -- analytics rebuild', () => {
  let commands: CliProcess;

  before(async () => {
    commands = await aCliProcess();
  });
  after(() => commands.close());

  const rebuild = (...args: string[]): Promise<CliResult> => commands.cli(['analytics', 'rebuild', ...args].join(' '));

  it('corrects differences, and with --dry-run only reports them and exits with 1', async () => {
    const id_project = await aProjectWithRecords();
    const corrected = await rebuild(id_project);
    expect(corrected).to.include({ code: 0, error: '' });
    const [last, ...lines] = corrected.out.trimEnd().split('\n').toReversed();
    expect(last).to.match(/: Corrected \d+ records and 0 rollup rows\.$/);
    for (const line of lines) expect(line).to.match(new RegExp(`^${id_project}: \\d+%$`));
    expect(lines.length).to.be.within(3, 11);
    const compared = await rebuild(id_project, '--dry-run');
    expect(compared).to.include({ code: 0, error: '' });
    expect(compared.out).to.match(/: The rollups match the records\.\n$/);
    const row = { id_project, series: 'requests' };
    const { _id } = await AnalyticsRollup.findOneAndDelete(row).orFail();
    await AnalyticsContribution.deleteOne({ id_project, subject: 'messages' });
    const differing = await rebuild(id_project, '--dry-run');
    expect(differing).to.include({ code: 1, error: '' });
    expect(differing.out).to.match(/: 1 record and \d+ rollup rows differ; run the command without --dry-run\.\n$/);
    expect(await AnalyticsRollup.countDocuments({ id_project, _id })).to.equal(0);
  });

  it('continues an interrupted rebuild, and reports the corrections of both runs', async () => {
    const id_project = await aProjectWithRecords();
    const saved = { step: 'messages', after: '0'.repeat(24), done: CONVERSATIONS, records: 7, rows: 0 };
    await AnalyticsRebuild.create([{ id_project, ...saved }]);
    await compareRollups(id_project, { dryRun: true });
    const { out } = await rebuild(id_project);
    const countOf = (subject: string) => AnalyticsContribution.countDocuments({ id_project, subject });
    expect(await countOf('requests')).to.equal(0);
    expect(out).to.include(`Corrected ${(await countOf('messages')) + (await countOf('project_users')) + 7} records`);
    expect(await AnalyticsRebuild.countDocuments({ id_project })).to.equal(0);
  });

  it('exits with 1 and names the id if the project does not exist', async () => {
    const id = hex(24);
    expect(await rebuild(id)).to.deep.equal({ code: 1, out: '', error: `There is no project with the id ${id}\n` });
  });

  it('shows a progress bar on a terminal', () => {
    let text = '';
    const write = (part: string | Uint8Array): boolean => Boolean((text += part));
    const show = progressPrinter('p', { isTTY: true, write });
    for (const done of [0, 1, 2]) show({ done, total: 4 });
    expect(text.split('\r')).to.deep.equal(['', ...[0, 25, 50].map((percent) => bar(percent))]);
  });
});

const bar = (percent: number): string => {
  const filled = (percent * 40) / 100;
  return `p [${'#'.repeat(filled)}${' '.repeat(40 - filled)}] ${percent}%`;
};
