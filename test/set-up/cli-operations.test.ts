import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { migrations } from '#shared/migrations/index.ts';
import { AdminAction } from '#shared/models/admin-action.ts';
import { requestLogger, logger } from '#shared/logger.ts';
import { api } from '../support/api.ts';
import { hex } from '../support/chunk-rows.ts';
import { aCliProcess, type CliProcess } from '../support/cli.ts';
import { anInstanceAdmin, aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The longest wait for a new log level to apply: twice the five seconds after which an idle process reads it again. */
const MAX_LEVEL_SECONDS = 10;

describe('npm run cli: operations', () => {
  let commands: CliProcess;
  const cli = (command: string) => commands.cli(command);

  before(async () => {
    commands = await aCliProcess({ QUEUE_PREFIX: hex(8), EMBEDDING_MODEL_FILE: 'off' });
  });

  after(() => commands.close());

  it('`maintenance on` makes the API return 503 with Retry-After until `maintenance off`', async () => {
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
      expect((await cli('maintenance status')).out).to.match(/^Maintenance has been on since \S+Z: Upgrade\n$/);
      expect(JSON.parse((await cli('maintenance status --json')).out).maintenance.retryAfterSeconds).to.equal(600);
    } finally {
      await cli('maintenance off');
    }
    await waitUntil(async () => (await statusOf()) === 200, 5);
    expect((await cli('maintenance status')).out).to.equal('Maintenance is off.\n');
    const actions = await AdminAction.find({ action: /^maintenance/ })
      .sort({ createdAt: -1 })
      .limit(2)
      .lean();
    expect(actions.map(({ action }) => action)).to.deep.equal(['maintenance off', 'maintenance on']);
    expect(actions[0]?.by).to.match(/^cli \S+@\S+$/);
  });

  it('`migrate down` undoes the last migration, `migrate up` runs it again, and --dry-run changes nothing', async () => {
    const pending = async (): Promise<string[]> =>
      JSON.parse((await cli('migrate status --json')).out)
        .migrations.filter(({ isDone }: { isDone: boolean }) => !isDone)
        .map(({ name }: { name: string }) => name);
    const name = migrations.at(-1)?.name;
    expect((await cli('migrate up --dry-run')).out).to.equal('0 migrations would run.\n');
    expect((await cli('migrate down --dry-run')).out).to.equal(`${name} would be undone.\n`);
    expect(await pending()).to.deep.equal([]);
    expect((await cli('migrate down')).code).to.equal(0);
    expect(await pending()).to.deep.equal([name]);
    expect((await cli('migrate up --dry-run')).out).to.equal(`${name}\n1 migration would run.\n`);
    expect(await pending()).to.deep.equal([name]);
    expect((await cli('migrate up')).out).to.equal(`${name}\n1 migration ran.\n`);
    expect(await pending()).to.deep.equal([]);
    expect((await cli('migrate status')).out).to.match(/initialise-relay +done +cannot be undone\n/);
    const actions = await AdminAction.find({ action: /^migrate/ })
      .sort({ createdAt: 1 })
      .lean();
    expect(actions.map(({ action }) => action)).to.deep.equal(['migrate down', 'migrate up']);
  });

  it('`maintenance on` rejects a --retry-after that is not a number of seconds', async () => {
    const { code, error } = await cli('maintenance on --retry-after soon');
    expect(code).to.equal(2);
    expect(error).to.include('It must be an integer from 1 to 999999');
  });

  it('`log-level` changes the log level of running processes, and `log-level default` restores their LOG_LEVEL', async () => {
    await api().get('/health/live'); // starts the API, which follows the stored log level
    const before = logger.level;
    try {
      expect((await cli('log-level fatal')).code).to.equal(0);
      await waitUntil(() => logger.level === 'fatal' && requestLogger.level === 'fatal', MAX_LEVEL_SECONDS);
      expect((await cli('log-level')).out).to.equal('fatal\n');
    } finally {
      await cli('log-level default');
    }
    await waitUntil(() => logger.level === before && requestLogger.level === before, MAX_LEVEL_SECONDS);
    expect((await cli('log-level loud')).code).to.equal(2);
  });
});

describe('npm run cli -- doctor and config check', () => {
  const run = async (command: string, env: NodeJS.ProcessEnv = {}) => {
    const options = { env: { ...process.env, EMBEDDING_MODEL_FILE: 'off', ...env } };
    const child = spawn(process.execPath, ['scripts/cli.ts', ...command.split(' ')], options);
    const ended = once(child, 'close');
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: (await ended)[0] as number, out, error };
  };

  it('`doctor` reports services that do not answer, and still runs the checks that do not need them', async () => {
    const { code, out } = await run('doctor', {
      MONGODB_URI: 'mongodb://127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    expect(code).to.equal(1);
    expect(out).to.match(/ERROR {4}MongoDB does not answer: .*\n +→ Start it with npm start, or set MONGODB_URI\./);
    expect(out).to.match(/ERROR {4}Redis does not answer: /);
    expect(out).to.match(/^skipped {2}queues$/m);
    expect(out).to.match(/^(ok|wrong) +disk$/m);
  });

  it('`doctor --all --json` lists all checks with their results', async () => {
    const { code, out } = await run('doctor --all --json', { QUEUE_PREFIX: hex(8) });
    const { checks } = JSON.parse(out);
    const states = Object.fromEntries(checks.map(({ name, state }: { name: string; state: string }) => [name, state]));
    expect(states).to.deep.include({ MongoDB: 'ok', migrations: 'ok', queues: 'ok' });
    expect(Object.keys(states)).to.include.members(['index', 'files']);
    expect(code).to.equal(1); // because no worker is running
  });

  it('`config check --json` lists all settings with their sources, and masks secrets', async () => {
    const secret = 'not-to-be-shown-anywhere';
    const env = { JWT_SECRET: secret, SMTP_URL: `smtp://me:${secret}@mail.example.com`, SETTINGS_STORED: 'REDIS_URL' };
    const valid = await run('config check --json', env);
    expect([valid.code, valid.error]).to.deep.equal([0, '']);
    expect(valid.out).not.to.include(secret);
    const { settings, problems } = JSON.parse(valid.out);
    expect(problems).to.deep.equal([]);
    expect(settings).to.deep.include({ name: 'JWT_SECRET', value: '24 characters, not shown', source: 'environment' });
    expect(settings).to.deep.include({ name: 'SMTP_URL', value: 'smtp://***@mail.example.com', source: 'environment' });
    expect(settings).to.deep.include({ name: 'TRUST_PROXY', value: 'false', source: 'default' });
    expect(settings).to.deep.include({ name: 'QDRANT_URL', value: '', source: 'not set' });
    expect(settings.find(({ name }: { name: string }) => name === 'REDIS_URL').source).to.equal('npm start');
  });

  it('`config check` names invalid and conflicting settings, and exits with code 1', async () => {
    const invalid = await run('config check', { PORT: '80x', MONGO_URI: 'mongodb://a' });
    expect(invalid.code).to.equal(1);
    expect(invalid.out).to.include('PROBLEM  PORT must be an integer from 0 to 65535.\n');
    const conflict = await run('config check', { REQUIRE_HTTPS: 'true' });
    expect(conflict.code).to.equal(1);
    expect(conflict.out).to.match(
      /PROBLEM {2}REQUIRE_HTTPS is on without TRUST_PROXY.*\n\n\d+ settings, 1 problem\.\n$/,
    );
  });
});
