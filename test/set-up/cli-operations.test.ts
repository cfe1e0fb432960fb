import { expect } from 'chai';
import { AdminAction } from '#shared/models/admin-action.ts';
import { requestLogger, logger } from '#shared/logger.ts';
import { api } from '../support/api.ts';
import { hex } from '../support/chunk-rows.ts';
import { aCliProcess, type CliProcess } from '../support/cli.ts';
import { anInstanceAdmin, aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('npm run cli: operations', () => {
  let commands: CliProcess;
  const cli = (command: string) => commands.cli(command);

  before(async () => {
    commands = await aCliProcess({ QUEUE_PREFIX: hex(8), EMBEDDING_MODEL_FILE: 'off' });
  });

  after(() => commands.close());

  it('maintenance on makes the API answer 503 with Retry-After, and maintenance off ends it', async () => {
    const { project, agent } = await aProject();
    const administrator = await anInstanceAdmin();
    const path = `/v3/${project.id}/requests`;
    const statusOf = async () => (await api(agent).get(path)).status;
    expect(await statusOf()).to.equal(200);
    try {
      expect((await cli('maintenance on --retry-after 600 --message Upgrade')).code).to.equal(0);
      await waitUntil(async () => (await statusOf()) === 503, 5);
      const refused = await api(agent).post(`${path}/a/messages`, { text: 'Hi' });
      expect(refused.status).to.equal(503);
      expect(refused.headers['retry-after']).to.equal('600');
      expect(refused.headers['access-control-allow-origin']).to.equal('*');
      expect(refused.body).to.deep.include({ success: false, error: 'Upgrade', code: 'MAINTENANCE', retry_after: 600 });
      expect((await api().get('/health/live')).status).to.equal(200);
      const ready = await api().get('/health/ready');
      expect([ready.status, ready.body.maintenance]).to.deep.equal([200, true]);
      expect((await api(administrator).get('/metrics')).status).to.equal(200);
      expect((await cli('maintenance status')).out).to.match(/^Maintenance is on since \S+Z: Upgrade\n$/);
      expect(JSON.parse((await cli('maintenance status --json')).out).maintenance.retryAfterSeconds).to.equal(600);
    } finally {
      await cli('maintenance off');
    }
    await waitUntil(async () => (await statusOf()) === 200, 5);
    expect((await cli('maintenance status')).out).to.equal('Maintenance is off.\n');
    const actions = await AdminAction.find({ action: /^maintenance/ }).sort({ createdAt: -1 }).limit(2).lean();
    expect(actions.map(({ action }) => action)).to.deep.equal(['maintenance off', 'maintenance on']);
    expect(actions[0]?.by).to.match(/^cli \S+@\S+$/);
  });

  it('maintenance on rejects a --retry-after that is no number of seconds', async () => {
    const { code, error } = await cli('maintenance on --retry-after soon');
    expect(code).to.equal(2);
    expect(error).to.include('It must be an integer from 1 to 999999');
  });

  it('log-level changes the level of running processes, and default restores their setting', async () => {
    await api().get('/health/live'); // starts the API, which follows the log level
    const before = logger.level;
    try {
      expect((await cli('log-level fatal')).code).to.equal(0);
      await waitUntil(() => logger.level === 'fatal' && requestLogger.level === 'fatal', 5);
      expect((await cli('log-level')).out).to.equal('fatal\n');
    } finally {
      await cli('log-level default');
    }
    await waitUntil(() => logger.level === before && requestLogger.level === before, 5);
    expect((await cli('log-level loud')).code).to.equal(2);
  });
});
