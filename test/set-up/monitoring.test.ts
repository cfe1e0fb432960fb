/**
 * Compares the alert rules and the dashboard with the metrics of a running API and a running worker, and the runbook
 * with the alert rules.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { request } from 'undici';
import { parse } from 'yaml';
import { ProcessHeartbeat } from '#shared/models/process-heartbeat.ts';
import { api, call } from '../support/api.ts';
import { hex } from '../support/chunk-rows.ts';
import { anInstanceAdmin } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}

const rules: Rule[] = parse(read('deploy/monitoring/alerts.yml')).groups.flatMap(
  ({ rules: each }: { rules: Rule[] }) => each,
);
const panels: { title: string; targets: { expr: string }[] }[] = JSON.parse(
  read('deploy/monitoring/dashboard.json'),
).panels;
const runbook = read('docs/runbook.md');

const FUNCTIONS = ['sum', 'max', 'min', 'rate', 'delta', 'increase', 'count', 'topk', 'histogram_quantile'];
const KEYWORDS = new Set([...FUNCTIONS, 'by', 'le']);
/** A metric that Prometheus itself records for each process. */
const OF_PROMETHEUS = 'up';

/** Returns the names of metrics in a PromQL expression: the words that are not functions, labels or durations. */
const metricsIn = (expr: string): string[] => {
  const bare = expr.replace(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, ' ');
  return [...bare.matchAll(/[a-z_]\w*/gi)]
    .map(([word]) => word)
    .filter((word) => !KEYWORDS.has(word) && !/^e\d*$/.test(word));
};

/** Returns the names of all Prometheus series in the output of a `/metrics` endpoint. */
const seriesIn = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );

describe('Monitoring', () => {
  let worker: ChildProcess;
  let apiMetrics: string;
  let workerMetrics: string;
  let workerUrl: string;

  before(async () => {
    const env = { ...process.env, WORKER_METRICS_PORT: '0', APP_VERSION: '9.8.7', QUEUE_PREFIX: hex(8) };
    const args = ['--queues', 'mail'];
    worker = fork(new URL('../../workers/main.ts', import.meta.url), args, { env, silent: true });
    await once(worker, 'message');
    const findHeartbeat = () => ProcessHeartbeat.findOne({ version: '9.8.7' }).lean();
    await waitUntil(async () => (await findHeartbeat()) !== null);
    workerUrl = `http://127.0.0.1:${(await findHeartbeat())?.port}`;
    const [page, answer] = await Promise.all([
      api(await anInstanceAdmin()).get('/metrics'),
      request(`${workerUrl}/metrics`),
    ]);
    apiMetrics = page.text;
    workerMetrics = await answer.body.text();
  });

  after(async () => {
    worker.kill();
    await once(worker, 'exit');
  });

  it('every metric that the alert rules or the dashboard read exists in the output of the API or of a worker', () => {
    const series = new Set([...seriesIn(apiMetrics), ...seriesIn(workerMetrics), OF_PROMETHEUS]);
    const used = [...rules, ...panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) => metricsIn(expr));
    expect(used.length).to.be.at.least(40);
    expect(used.filter((name) => !series.has(name))).to.deep.equal([]);
  });

  it('the API reports the state of the installation: queues, overdue work, processes and services', () => {
    for (const line of [
      /^queue_jobs\{queue="kb",state="waiting"\} \d/m,
      /^queue_oldest_job_age_seconds\{queue="kb"\} \d/m,
      /^work_oldest_overdue_seconds\{work="deliveries"\} \d/m,
      /^fleet_processes\{kind="worker",state="running"\} [1-9]/m,
      /^dependency_up\{service="mongodb"\} 1$/m,
      /^dependency_up\{service="redis"\} 1$/m,
      /^maintenance_mode 0$/m,
      /^process_info\{kind="api",version="\d.*"\} 1$/m,
    ])
      expect(apiMetrics).to.match(line);
  });

  it('a worker serves its own metrics and a liveness check, but no data of projects', async () => {
    for (const line of [
      /^process_info\{kind="worker",version="9\.8\.7"\} 1$/m,
      /^nodejs_eventloop_lag_p99_seconds \d/m,
      /^process_resident_memory_bytes \d/m,
      /^# TYPE job_duration_seconds histogram$/m,
    ])
      expect(workerMetrics).to.match(line);
    expect(workerMetrics).not.to.include('project');
    expect(await call('GET', `${workerUrl}/health/live`)).to.deep.include({ status: 200, body: { status: 'ok' } });
    expect((await call('GET', `${workerUrl}/admin/queues`)).status).to.equal(404);
  });

  it('every alert has an entry in the runbook with a command or a step, and every entry has an alert', () => {
    const entries = [...runbook.matchAll(/^\| <a id="(\w+)"><\/a>`(\w+)` \| (.+) \| (.+) \|$/gm)];
    expect(entries.map(([, , name]) => name)).to.have.members(rules.map(({ alert }) => alert));
    for (const [, id, name = '', meaning = '', action = ''] of entries) {
      expect(id).to.equal(name.toLowerCase());
      expect(meaning).to.match(/\w+ \w+ \w+/);
      expect(action).to.match(/`npm run |[A-Z]\w+ \w+ \w+/);
    }
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook).to.equal(`docs/runbook.md#${alert.toLowerCase()}`);
      expect(annotations.summary).to.be.a('string');
    }
    expect(runbook.match(/npm run cli -- [a-z-]+/g)).to.have.length.above(10);
  });
});
