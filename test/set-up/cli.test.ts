import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as counters from '#shared/domain/conversations/counters.ts';
import { writeDeadLetter } from '#shared/domain/events/dead-letters.ts';
import { AccessChange } from '#shared/models/access-change.ts';
import { Change } from '#shared/models/change.ts';
import { ConversationCounter } from '#shared/models/conversation-counter.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { ListenerCursor } from '#shared/models/listener-cursor.ts';
import { Message } from '#shared/models/message.ts';
import { User } from '#shared/models/user.ts';
import { api } from '../support/api.ts';
import { hex } from '../support/chunk-rows.ts';
import { aCliProcess, type CliProcess } from '../support/cli.ts';
import { aPerson, aProject } from '../support/people.ts';

const UNREACHABLE_SERVICES = { MONGODB_URI: 'mongodb://127.0.0.1:1/none', REDIS_URL: 'redis://127.0.0.1:1' };

const textOf = async (stream: NodeJS.ReadableStream): Promise<string> => (await Array.fromAsync(stream)).join('');

describe('npm run cli', () => {
  let folder: string;
  let commands: CliProcess;
  /** A CLI process that cannot reach Redis. */
  let limited: CliProcess;

  const cli = (command: string) => commands.cli(command);

  /** Runs a command in a process of its own, which reaches neither MongoDB nor Redis. */
  const spawnCli = async (command: string) => {
    const env = { ...process.env, DATA_DIR: folder, ...UNREACHABLE_SERVICES };
    const child = spawn(process.execPath, ['scripts/cli.ts', ...command.split(' ')], { env });
    const ended = new Promise<number>((resolve) => child.on('close', resolve));
    const [code, out, error] = await Promise.all([ended, textOf(child.stdout), textOf(child.stderr)]);
    return { code, out, error };
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-'));
    const settings = { DATA_DIR: folder, QUEUE_PREFIX: hex(8), EMBEDDING_MODEL_FILE: 'off' };
    const { REDIS_URL } = UNREACHABLE_SERVICES;
    [commands, limited] = await Promise.all([aCliProcess(settings), aCliProcess({ ...settings, REDIS_URL })]);
  });

  after(async () => {
    await Promise.all([commands.close(), limited.close()]);
    await rm(folder, { recursive: true });
  });

  it('`roles` lists the minimum role of every endpoint, and needs neither MongoDB nor Redis', async () => {
    const { code, out } = await spawnCli('roles');
    expect(code).to.equal(0);
    expect(out).to.match(/^DELETE +\/v3\/projects\/:project_id +owner$/m);
    expect(out).to.match(/^GET +\/v3\/:project_id\/groups +agent +bot, subscription$/m);
  });

  it("`listeners list` shows each listener's cursor, and `listeners replay` moves it back", async () => {
    const change = { id_project: hex(24), event: 'lead.update', record: hex(24), createdAt: new Date() };
    const [before, after] = ['820', '82FFFFFFFF'].map((start) => `${start}${hex(20)}`) as [string, string];
    await Change.create([{ ...change, _id: hex(24), position: after }]);
    await writeDeadLetter(
      'relay-test',
      { ...change, id: hex(24), position: `${after}0` },
      { attemptsMade: 1, error: 'Gone' },
    );
    await ListenerCursor.updateOne({ _id: 'events.sync-lead' }, { $set: { cursor: after } }, { upsert: true });
    expect((await cli('listeners list')).out).to.match(/^events\.sync-lead +0 +0 +0 +82FFFFFFFF\w+ +lead\.update$/m);
    const replayed = await cli(`listeners replay events.sync-lead --after ${before}`);
    expect(replayed.out).to.match(/^events\.sync-lead will process [1-9]\d* events? again\.\n$/);
    expect((await ListenerCursor.findById('events.sync-lead').lean())?.cursor).to.equal(before);
    const letters = (await cli('dead-letters list')).out;
    const columns = ['relay-test \\w+', '\\S+Z', 'relay-test', 'lead\\.update', change.record, 'Gone', after];
    expect(letters).to.match(new RegExp(`^${columns.join(' +')}$`, 'm'));
    const [ahead, unknown] = await Promise.all([
      cli(`listeners replay events.sync-lead --after ${after}`),
      cli('listeners replay nobody --after 0'),
    ]);
    expect([ahead.code, unknown.code]).to.deep.equal([1, 1]);
    expect(ahead.error).to.include('replay from an earlier cursor');
    expect(unknown.error).to.include('No listener nobody; the listeners are: events.sync-lead');
    await Promise.all([
      Change.deleteMany({ id_project: change.id_project }),
      ListenerCursor.deleteOne({ cursor: before }),
      DeadLetter.deleteMany({ failedBy: 'relay-test' }),
    ]);
  });

  it('`accounts verify` marks an email address as verified, prints its account, and needs only MongoDB', async () => {
    const { id, email } = await aPerson();
    const [{ code, out }, unknown] = await Promise.all([
      limited.cli(`accounts verify ${email.toUpperCase()}`),
      cli('accounts verify nobody@example.com'),
    ]);
    expect(code).to.equal(0);
    expect(out)
      .to.match(/^\S+ is verified: Ann Lee, signed up 2\S+Z\.\n$/)
      .and.include(email);
    expect(await User.findById(id).lean()).to.include({ emailverified: true });
    expect(await AccessChange.exists({ subject: `user ${id}` })).not.to.equal(null);
    const error = 'No account has the email nobody@example.com\n';
    expect(unknown).to.deep.equal({ code: 1, out: '', error });
  });

  it('`requests recount` corrects the conversation counters of a project', async () => {
    const { project, guest } = await aProject();
    await api(guest).post(`/v3/${project.id}/requests/a/messages`, { text: 'Hi' });
    await ConversationCounter.deleteMany({ id_project: project.id });
    for (const output of ['Corrected 1 counter.\n', 'All counters were correct.\n'])
      expect(await cli(`requests recount ${project.id}`)).to.deep.equal({ code: 0, out: output, error: '' });
    expect(await counters.count({ id_project: project.id })).to.equal(1);
    const unknownId = hex(24);
    const error = `There is no project with the id ${unknownId}\n`;
    expect(await cli(`requests recount ${unknownId}`)).to.deep.equal({ code: 1, out: '', error });
  });

  it('`seed` creates a project with conversations for the account with the given email', async () => {
    const { email } = await aPerson();
    const { code, out, error } = await cli(`seed ${email} --requests 20`);
    expect({ code, error }).to.deep.equal({ code: 0, error: '' });
    const [, id_project = ''] = /^Project (\w{24}) has 20 conversations\.$/m.exec(out) ?? [];
    expect(await counters.count({ id_project })).to.equal(20);
    expect(await Message.countDocuments({ id_project })).to.equal(100);
    const [unknown, wrong] = [await cli('seed nobody@example.com'), await cli(`seed ${email} --requests x`)];
    expect([unknown.code, wrong.code]).to.deep.equal([1, 2]);
  });

  it('the CLI reports an unavailable service with exit code 1 and incorrect usage with exit code 2', async () => {
    const [mongodb, redis, unknown] = await Promise.all([
      spawnCli('kb status'),
      limited.cli('queues list'),
      spawnCli('kb rebiuld'),
    ]);
    expect(mongodb.code).to.equal(1);
    expect(mongodb.error).to.match(/^MongoDB does not answer .+MONGODB_URI\.\n$/);
    expect(redis.code).to.equal(1);
    expect(redis.error).to.match(/^Redis does not answer .+REDIS_URL\.\n$/);
    expect(unknown.code).to.equal(2);
    expect(unknown.error).to.include('unknown command').and.include('rebuild');
  });
});
