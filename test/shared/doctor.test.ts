import { expect } from 'chai';
import { FAILING_ADVICE } from '#shared/domain/webhooks/disable-subscription.ts';
import { readControls } from '#shared/process/controls.ts';
import { judgeDisk } from '#shared/doctor/file-checks.ts';
import { CHECKS, runChecks } from '#shared/doctor/run-checks.ts';
import { writeDeadLetter } from '#shared/domain/events/dead-letters.ts';
import { type OverdueWork, readOverdueWork } from '#shared/domain/operations/overdue-work.ts';
import { AdminAction } from '#shared/models/admin-action.ts';
import { INSTANCE } from '#shared/models/change.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { InstanceControls } from '#shared/models/instance-controls.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { Mail } from '#shared/models/mail.ts';
import { Migration } from '#shared/models/migration.ts';
import { ProcessHeartbeat } from '#shared/models/process-heartbeat.ts';
import { RelayState } from '#shared/models/relay-state.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { queues } from '#shared/queue/queue.ts';
import { anApi } from '../support/api.ts';
import { hex } from '../support/chunk-rows.ts';

const HOUR_MS = 3_600_000;
const GIB = 2 ** 30;

/** Runs one check. Returns a line for each finding: its level, problem and advice. */
const examine = async (name: string): Promise<string[]> => {
  const findings = (await CHECKS.find((check) => check.name === name)?.run()) ?? [];
  return findings.map(({ level, problem, advice }) => `${level}: ${problem} -> ${advice}`);
};

const hourAgo = () => new Date(Date.now() - HOUR_MS);

const aContent = (fields: object) =>
  KbContent.create({ id_project: hex(24), namespace: 'n', type: 'url', source: hex(8), name: 'a', ...fields });

const heartbeat = (fields: object) => ({
  _id: hex(24),
  ...{ kind: 'worker' as const, host: 'doctor-host', pid: 7, version: '0.1.0', startedAt: hourAgo(), at: new Date() },
  ...{ clock: new Date(), memoryBytes: 1, queues: ['kb', 'relay'], ...fields },
});

describe('Doctor', () => {
  before(anApi);

  it('the services that the tests use pass their checks', async () => {
    expect(await examine('MongoDB')).to.deep.equal([]);
    expect(await examine('vector store')).to.deep.equal([]);
    expect(await examine('migrations')).to.deep.equal([]);
  });

  it('missing and superfluous indexes are named, with the command or step that restores or drops them', async () => {
    const [index] = AdminAction.schema.indexes();
    await AdminAction.collection.createIndex({ by: 1 });
    const superfluous = (await examine('indexes')).filter((line) => line.includes('admin_actions'));
    await AdminAction.collection.dropIndexes();
    const missing = (await examine('indexes')).filter((line) => line.includes('admin_actions'));
    await AdminAction.collection.createIndex(...(index as [Record<string, 1>, object]));
    expect(superfluous[0]).to.match(/^warning: .*by_1.*dropIndex\('by_1'\)$/);
    expect(missing[0]).to.match(/^error: .*lacks the index on createdAt -> Restart/);
    expect((await examine('indexes')).filter((line) => line.includes('admin_actions'))).to.deep.equal([]);
  });

  it('a pending migration is an error', async () => {
    const record = await Migration.findOneAndUpdate({ _id: 'schema' }, { $set: { done: [] } }).lean();
    expect((await examine('migrations'))[0]).to.match(/^error: Pending migrations: /);
    await Migration.updateOne({ _id: 'schema' }, { $set: { done: record?.done } });
  });

  it('lost heartbeats, wrong clocks, processes with different versions, and queues without a worker are reported', async () => {
    const late = new Date(Date.now() - 60_000);
    await ProcessHeartbeat.create([
      heartbeat({ version: '9.9.9', clock: new Date(Date.now() + 90_000) }),
      heartbeat({ pid: 8, at: late, clock: late }),
    ]);
    const lines = await examine('processes');
    await ProcessHeartbeat.deleteMany({ host: 'doctor-host' });
    const text = lines.join('\n');
    expect(text).to.match(/error: No worker runs the queues .*mail.* -> npm run workers -- --queues /);
    expect(text).to.match(/warning: Several versions are running: /);
    expect(text).to.match(/error: The clock of doctor-host differs from that of MongoDB by 90 s -> .*NTP/);
    expect(text).to.match(/warning: Worker 8 on doctor-host has sent no heartbeat for 60 s/);
  });

  it('an expired relay lease is an error', async () => {
    const before = await RelayState.findOneAndUpdate({ _id: 'relay' }, { $set: { leaseUntil: hourAgo() } }).lean();
    expect((await examine('relay'))[0]).to.match(/^error: No relay is running/);
    await RelayState.updateOne({ _id: 'relay' }, { $set: { leaseUntil: before?.leaseUntil } });
  });

  it('the dead letters of a listener are counted, and the command that lists them is named', async () => {
    const ref = { id: hex(24), id_project: hex(24), event: 'lead.update', record: hex(24), position: '820' };
    await writeDeadLetter('doctor-test', ref, { attemptsMade: 1, error: 'Gone' });
    const lines = await examine('dead letters');
    await DeadLetter.deleteMany({ failedBy: 'doctor-test' });
    expect(lines.join('\n')).to.match(/warning: 1 dead letter of doctor-test .* -> npm run cli -- dead-letters list/);
  });

  it('paused queues, and overdue work that no worker has taken, are reported', async () => {
    const [queue] = queues();
    await queue?.pause();
    const paused = await examine('queues');
    await queue?.resume();
    const mail = await Mail.create({ to: 'a@example.com', template: 'verify', dueAt: hourAgo() });
    const overdue = await examine('overdue work');
    await Mail.deleteOne({ _id: mail._id });
    expect(paused.join('\n')).to.include(`is paused -> npm run cli -- queues resume ${queue?.name}`);
    expect(overdue.join('\n')).to.match(
      /error: Overdue mails: \d+, the oldest for 60 min -> Start workers for the queues mail/,
    );
  });

  it('contents whose lease has expired are overdue work', async () => {
    const leaseUntil = new Date(Date.now() - 2 * HOUR_MS);
    const fields = { status: CONTENT_STATUS.indexing, nextAttemptAt: new Date(Date.now() - 3 * HOUR_MS), leaseUntil };
    const held = await aContent(fields);
    const running = await aContent({ ...fields, leaseUntil: new Date(Date.now() + HOUR_MS) });
    const { count, oldestAgeSeconds } = (await readOverdueWork()).find(
      ({ name }) => name === 'contents',
    ) as OverdueWork;
    await KbContent.deleteMany({ _id: { $in: [held._id, running._id] } }, { anyProject: true });
    const rest = (await readOverdueWork()).find(({ name }) => name === 'contents') as OverdueWork;
    expect([count - rest.count, Math.round(oldestAgeSeconds / 3600)]).to.deep.equal([1, 2]);
  });

  it('expired leases of contents, and failed contents by reason, are reported', async () => {
    const held = await aContent({ status: CONTENT_STATUS.fetching, leaseUntil: hourAgo() });
    const failed = await aContent({ status: CONTENT_STATUS.failed, error: { code: 'DOCTOR_TEST', hint: 'Try it' } });
    const [leases, failures] = [await examine('leases'), await examine('failed contents')];
    await KbContent.deleteMany({ _id: { $in: [held._id, failed._id] } }, { anyProject: true });
    expect(leases[0]).to.match(/^error: Workers that are no longer running hold (1 content|\d+ contents) -> /);
    expect(failures.join('\n')).to.include(
      `1 content failed with DOCTOR_TEST (Try it) -> npm run cli -- kb why ${String(failed._id)}`,
    );
  });

  it('a disabled subscription is reported with the reason why it was disabled', async () => {
    const id_project = hex(24);
    const fields = { event: 'request.create', target: 'https://a.example.com', createdBy: hex(24) };
    await Subscription.create({ id_project, ...fields, enabled: false, disabled_reason: 'The receiver returned 410' });
    const lines = await examine('subscriptions');
    await Subscription.deleteMany({ id_project });
    expect(lines.join('\n')).to.match(
      new RegExp(`project ${id_project} is disabled: The receiver returned 410 -> .*replay`),
    );
  });

  it('the reason why a subscription was disabled is reported without the advice that the record contains', async () => {
    const id_project = hex(24);
    const fields = { event: 'request.create', target: 'https://a.example.com', createdBy: hex(24) };
    const adviceOfEarlierVersion = '. Once it accepts events, enable it and replay the events that were given up';
    const records = [FAILING_ADVICE, adviceOfEarlierVersion].map((advice, index) => ({
      ...{ id_project, ...fields, target: `${fields.target}/${index}`, enabled: false },
      disabled_reason: `The receiver returned 40${index}${advice}`,
    }));
    await Subscription.create(records);
    const lines = await examine('subscriptions');
    await Subscription.deleteMany({ id_project });
    for (const status of [400, 401])
      expect(lines.join('\n')).to.include(`project ${id_project} is disabled: The receiver returned ${status} -> `);
  });

  it('the advice for a disabled subscription names the endpoint that changes it; a global subscription has a different endpoint', async () => {
    const ids = [hex(24), INSTANCE];
    const fields = { event: 'request.create', target: 'https://b.example.com', createdBy: hex(24), enabled: false };
    const created = await Subscription.create(ids.map((id_project) => ({ id_project, ...fields })));
    const lines = (await examine('subscriptions')).join('\n');
    await Subscription.deleteMany({ target: fields.target }, { anyProject: true });
    const [own, global] = created.map(({ _id }) => String(_id));
    expect(lines)
      .to.include(`The subscription ${own} of project ${ids[0]} is disabled`)
      .and.include(`PUT /v3/${ids[0]}/subscriptions/${own} with`)
      .and.include(`The global subscription ${global} is disabled`)
      .and.include(`PUT /v3/subscriptions/${global} with`);
  });

  it('a changed log level is reported', async () => {
    const before = await readControls();
    await InstanceControls.updateOne({ _id: 'controls' }, { $set: { logLevel: 'trace' } }, { upsert: true });
    const lines = await examine('maintenance');
    await InstanceControls.updateOne({ _id: 'controls' }, { $unset: { logLevel: 1 } });
    expect(before.logLevel).to.equal(undefined);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include('trace -> npm run cli -- log-level default');
  });

  it('little free disk space is a warning, and almost none is an error', () => {
    const levels = [0.1, 1, 50].map((free) => judgeDisk('/a', { free: free * GIB, total: 100 * GIB })[0]?.level);
    expect(levels).to.deep.equal(['error', 'warning', undefined]);
    expect(judgeDisk('/a', { free: 1 * GIB, total: 4 * GIB })).to.deep.equal([]);
  });

  it('checks of a service that does not answer are skipped, and slow checks run only on request', async () => {
    const results = await runChecks({ down: ['mongodb', 'redis', 'vectors'] });
    expect(results.find(({ name }) => name === 'queues')?.state).to.equal('skipped');
    expect(results.find(({ name }) => name === 'disk')?.state).not.to.equal('skipped');
    expect(results.map(({ name }) => name)).not.to.include('files');
    const all = await runChecks({ down: ['mongodb'], all: true });
    expect(all.map(({ name }) => name)).to.include('files');
  });
});
