import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { recordAdminAction } from '#shared/domain/operations/admin-actions.ts';
import { listProcesses, startHeartbeat } from '#shared/domain/operations/heartbeats.ts';
import { AdminAction } from '#shared/models/admin-action.ts';
import { ProcessHeartbeat } from '#shared/models/process-heartbeat.ts';
import { queues } from '#shared/queue/queue.ts';
import { explainJob } from '../../api/http/queue-texts.ts';
import { api, call } from '../support/api.ts';
import { theLimitedApi } from '../support/api-process.ts';
import { hex } from '../support/chunk-rows.ts';
import { anInstanceAdmin, aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

type Queue = ReturnType<typeof queues>[number];
const queueOf = (name: string): Queue => queues().find((queue) => queue.name === name) as Queue;

const ADMIN_ONLY_PATHS = ['/admin/queues', '/admin/queues/api/queues', '/admin/fleet', '/metrics'];

describe('Pages for instance administrators', () => {
  it('the administrator pages require credentials (401) and refuse project owners and visitors (403)', async () => {
    const { owner, guest } = await aProject();
    for (const path of ADMIN_ONLY_PATHS) {
      const anonymous = await api().get(path);
      expect(anonymous.status).to.equal(401);
      expect(anonymous.headers['www-authenticate']).to.match(/^Basic /);
      for (const caller of [owner, guest]) expect((await api(caller).get(path)).status).to.equal(403);
    }
  });

  it('the administrator pages show the queues and the metrics of the process', async () => {
    const administrator = await anInstanceAdmin();
    const { body } = await api(administrator).get('/admin/queues/api/queues');
    expect(body.queues.map(({ name }: { name: string }) => name)).to.include('kb');
    const { text } = await api(administrator).get('/metrics');
    expect(text).to.include('http_request_duration_seconds_bucket').and.include('process_cpu_seconds_total');
  });

  it('the queue board refuses changes from another site (403)', async () => {
    const administrator = await anInstanceAdmin();
    const reply = await api(administrator).put('/admin/queues/api/queues/kb/pause', undefined, {
      'sec-fetch-site': 'cross-site',
    });
    expect(reply).to.deep.include({ status: 403 });
    expect(reply.body.code).to.equal('CROSS_SITE_REQUEST');
  });
});

const BOARD = '/admin/queues/api/queues';

describe('Queue board', () => {
  it('the queue board is read-only by default (403), and its error names the command that changes queues', async () => {
    const reply = await api(await anInstanceAdmin()).put(`${BOARD}/kb/pause`);
    expect(reply.status).to.equal(403);
    expect(reply.body).to.include({ code: 'QUEUE_BOARD_READ_ONLY' });
    expect(reply.body.error).to.include('npm run cli -- queues');
    expect(await queueOf('kb').isPaused()).to.equal(false);
  });

  it('the queue board describes jobs and their data, and explains their errors', async () => {
    const administrator = await anInstanceAdmin();
    const payload = { id_project: hex(24), receiver: 'a.example.com' };
    const job = await queueOf('webhooks').add('webhooks.deliver', { payload, correlationId: 'call-0001' });
    const { text } = await api(administrator).get(`${BOARD}/webhooks/${job.id}`);
    expect(text).to.include('Deliver (webhooks.deliver)').and.include('caused by the call with X-Request-Id');
    expect(text).to.include('receiver (host and port)').and.include(payload.id_project);
    const { body } = await api(administrator).get(BOARD);
    const [webhooks] = body.queues.filter(({ name }: { name: string }) => name === 'webhooks');
    expect(webhooks).to.deep.include({ readOnlyMode: true });
    expect(webhooks.description).to.match(/^Delivers events to the URLs of subscriptions\./);
    await job.remove();
    expect(explainJob({ failedReason: 'connect ECONNREFUSED 127.0.0.1:27017' }).failedReason).to.match(
      /^connect .*\n→ MongoDB was unavailable/,
    );
  });

  it('with QUEUE_BOARD_ACTIONS, actions on the queue board are recorded with their author, target and time', async () => {
    const { url } = await theLimitedApi();
    const { authorization, email } = await anInstanceAdmin();
    for (const action of ['pause', 'resume']) {
      const { status } = await call('PUT', `${url}${BOARD}/files/${action}`, { headers: { authorization } });
      expect(status).to.equal(200);
    }
    const actions = await AdminAction.find({ by: email, target: /^files/ })
      .sort({ createdAt: 1 })
      .lean();
    expect(actions.map(({ action, target }) => `${action} ${target}`)).to.deep.equal([
      'queue board PUT files/pause',
      'queue board PUT files/resume',
    ]);
  });
});

describe('Fleet page', () => {
  it('the page /admin/fleet shows problems, queues, processes with their running jobs, and actions of administrators, and escapes all texts', async () => {
    const process = {
      kind: 'worker' as const,
      host: '<b>fleet</b>',
      pid: 4242,
      version: '1.2.3',
      memoryBytes: 2 ** 20,
    };
    const times = { startedAt: new Date(), at: new Date(), clock: new Date() };
    const running = [{ job: 'kb.index-contents', id_project: hex(24), since: new Date(Date.now() - 90_000) }];
    await ProcessHeartbeat.create({ _id: hex(24), ...process, ...times, queues: ['kb'], running });
    await recordAdminAction({ by: 'me@example.com', action: 'maintenance off' });
    const { status, text } = await api(await anInstanceAdmin()).get('/admin/fleet');
    await ProcessHeartbeat.deleteMany({ pid: 4242 });
    expect(status).to.equal(200);
    expect(text).to.match(/What is wrong.*No worker runs the queues/s);
    expect(text).to.include('Worker 4242 on &lt;b&gt;fleet&lt;/b&gt;').and.not.include('<b>fleet');
    expect(text).to.match(new RegExp(`Index contents of project ${running[0]?.id_project}, for 9\\d s`));
    expect(text).to.match(/API \d+ on /);
    expect(text).to.include('<td>me@example.com</td><td>maintenance off</td>');
    expect(text).to.include('<a href="/admin/queues/queue/kb">kb</a>');
  });

  it('a process records its heartbeat when it starts, and removes the heartbeat when it stops', async () => {
    const stop = startHeartbeat({
      kind: 'worker',
      queues: ['mail'],
      running: () => [{ job: 'mail.send', since: new Date() }],
    });
    await waitUntil(async () => (await listProcesses()).some(({ queues }) => queues.join() === 'mail'));
    const [own] = (await listProcesses()).filter(({ queues }) => queues.join() === 'mail');
    expect(own).to.deep.include({ isLost: false, pid: process.pid });
    expect(own?.running[0]?.job).to.equal('mail.send');
    expect(Math.abs(own?.clockAheadMs ?? Number.NaN)).to.be.below(2000);
    await stop();
    expect((await listProcesses()).filter(({ queues }) => queues.join() === 'mail')).to.deep.equal([]);
  });
});

describe('Health endpoints', () => {
  it('the health endpoints report that the process is alive and that nothing it depends on is down', async () => {
    expect((await api().get('/health/live')).body).to.deep.equal({ status: 'ok' });
    const { status, body } = await api().get('/health/ready');
    expect({ status, down: body.down }).to.deep.equal({ status: 200, down: [] });
    expect(Object.keys(body.parts)).to.have.members(['mongodb', 'redis', 'queues', 'vectors', 'embedding']);
    expect(body.parts.vectors.name).to.be.oneOf(['lancedb', 'qdrant']);
  });
});

describe('OpenAPI document', () => {
  it('the OpenAPI document is valid, describes every parameter, and lists a successful response for every operation', async () => {
    const { body } = await api().get('/v3/openapi.json');
    const { valid, errors } = await new Validator().validate(structuredClone(body));
    expect(valid, JSON.stringify(errors)).to.equal(true);
    const operations = Object.values(body.paths).flatMap((path) =>
      Object.values(path as Record<string, Record<string, unknown>>),
    );
    const parameters = operations.flatMap(
      ({ parameters }) => parameters as { name: string; description?: string; schema: { description?: string } }[],
    );
    expect(
      parameters.filter(({ description, schema }) => !description && !schema.description).map(({ name }) => name),
    ).to.deep.equal([]);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(operations.length);
    expect(
      operations.every(({ summary, responses }) => summary && /"20[01]":/.test(JSON.stringify(responses))),
    ).to.equal(true);
  });
});
