import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ulid } from 'ulid';
import * as counters from '#shared/domain/conversations/counters.ts';
import { writeDeadLetter } from '#shared/domain/events/dead-letters.ts';
import { AccessChange } from '#shared/models/access-change.ts';
import { Change } from '#shared/models/change.ts';
import { ConversationCounter } from '#shared/models/conversation-counter.ts';
import { DeadLetter } from '#shared/models/dead-letter.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { ListenerCursor } from '#shared/models/listener-cursor.ts';
import { Message } from '#shared/models/message.ts';
import { User } from '#shared/models/user.ts';
import { lanceIndex } from '#shared/vectors/lance-index.ts';
import { api } from '../support/api.ts';
import { allIds, hex, vectorOf } from '../support/chunk-rows.ts';
import { aCliProcess, type CliProcess } from '../support/cli.ts';
import { aProvider } from '../support/fake-openai.ts';
import { aPerson, aProject } from '../support/people.ts';

const MODEL_NAME = 'words-4';
const UNREACHABLE_SERVICES = { MONGODB_URI: 'mongodb://127.0.0.1:1/none', REDIS_URL: 'redis://127.0.0.1:1' };

type Provider = Awaited<ReturnType<typeof aProvider>>;

const textOf = async (stream: NodeJS.ReadableStream): Promise<string> => (await Array.fromAsync(stream)).join('');

const createdProjects: string[] = [];

/** A new namespace with one indexed content of two chunks, as a worker stores them. */
const aNamespace = async (project = hex(24)) => {
  const [namespace, content, attemptId] = [hex(24), hex(24), ulid()];
  const common = { id_project: project, namespace };
  const name = 'Returns';
  await KbNamespace.create([{ id: namespace, id_project: project, name, preview_settings: {}, indexId: 'lost' }]);
  const done = {
    status: 300,
    publishedAttemptId: attemptId,
    attemptIds: [attemptId],
    chunks: 2,
    embedded_by: MODEL_NAME,
  };
  await KbContent.create([{ _id: content, ...common, type: 'text', source: hex(8), name, ...done }]);
  const chunks = ['thirty days', 'unused goods'].map((text, index) => ({
    ...{ _id: hex(40), ...common, content, attemptId, index, text, hash: hex(40), tokens: 2, model: MODEL_NAME },
    vector: Buffer.from(vectorOf(1, 0, 0, index).buffer),
  }));
  await KbChunk.insertMany(chunks);
  createdProjects.push(project);
  return { project, namespace, ids: chunks.map(({ _id }) => _id).toSorted() };
};

describe('npm run cli', () => {
  let folder: string;
  let provider: Provider;
  let commands: CliProcess;
  /** A process with neither an embedding model nor Redis. */
  let limited: CliProcess;

  const cli = (command: string) => commands.cli(command);

  /** Runs a command in a process of its own. */
  const spawnCli = async (command: string) => {
    const env = { ...process.env, DATA_DIR: folder, ...UNREACHABLE_SERVICES };
    const child = spawn(process.execPath, ['scripts/cli.ts', ...command.split(' ')], { env });
    const ended = new Promise<number>((resolve) => child.on('close', resolve));
    const [code, out, error] = await Promise.all([ended, textOf(child.stdout), textOf(child.stderr)]);
    return { code, out, error };
  };

  const indexed = async ({ project, namespace }: { project: string; namespace: string }) => {
    const index = lanceIndex(join(folder, 'lancedb'), join(folder, 'lanes'));
    const ids = await allIds(index, { project, namespace, dimension: 4 });
    await index.close();
    return ids.toSorted();
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-'));
    provider = await aProvider({ dimension: 4 });
    const settings = { DATA_DIR: folder, QUEUE_PREFIX: hex(8) };
    const model = { OPENAI_BASE_URL: provider.baseUrl, EMBEDDING_MODEL: MODEL_NAME, EMBEDDING_DIMENSION: '4' };
    const { REDIS_URL } = UNREACHABLE_SERVICES;
    [commands, limited] = await Promise.all([
      aCliProcess({ ...settings, ...model }),
      aCliProcess({ ...settings, REDIS_URL, EMBEDDING_MODEL_FILE: 'off' }),
    ]);
  });

  after(async () => {
    await Promise.all([commands.close(), limited.close()]);
    await provider.close();
    // Otherwise a sweep in another test would try to rebuild these namespaces, whose index is in this folder.
    for (const model of [KbNamespace, KbContent, KbChunk] as const)
      await (model as typeof KbChunk).deleteMany({ id_project: { $in: createdProjects } });
    await rm(folder, { recursive: true });
  });

  it('kb rebuild fills the index of a project from MongoDB without an embedding call', async () => {
    const [mine, otherNamespace] = [await aNamespace(), await aNamespace()];
    const { code, out, error } = await cli(`kb rebuild --project ${mine.project}`);
    expect({ code, error }).to.deep.equal({ code: 0, error: '' });
    expect(out).to.include(`Vectors  ${MODEL_NAME}`).and.include(`namespace ${mine.namespace}  2 chunks`);
    expect(out).to.match(/1 namespace, 2 chunks, no embedding call\.\n$/);
    expect(await indexed(mine)).to.deep.equal(mine.ids);
    expect(await indexed(otherNamespace)).to.deep.equal([]);
    expect(provider.calls).to.deep.equal([]);
    const stored = await KbNamespace.findOne({ id_project: mine.project, id: mine.namespace }).lean();
    expect(stored?.indexId).to.match(/^lancedb-/);
  });

  it('kb rebuild rebuilds a single namespace, and a second run changes nothing', async () => {
    const one = await aNamespace();
    const other = await aNamespace(one.project);
    for (let time = 0; time < 2; time++) await cli(`kb rebuild --namespace ${one.namespace}`);
    expect(await indexed(one)).to.deep.equal(one.ids);
    expect(await indexed(other)).to.deep.equal([]);
  });

  it('kb rebuild reports when there is nothing to rebuild', async () => {
    const { code, error } = await cli(`kb rebuild --project ${hex(24)}`);
    expect({ code, error }).to.deep.equal({
      code: 1,
      error: 'No namespace with these ids has chunks; check --project and --namespace.\n',
    });
  });

  it('kb status counts contents, chunks and vectors, and names the index', async () => {
    const { project } = await aNamespace();
    const { code, out } = await cli(`kb status --project ${project}`);
    expect(code).to.equal(0);
    expect(out)
      .to.match(/^indexed +300 +1$/m)
      .and.match(/^failed +400 +0$/m);
    expect(out)
      .to.include('Chunks   2, 2 with a vector')
      .and.match(/Index +LanceDB in .+, lancedb-\w{26}$/m);
    const withoutModel = await limited.cli(`kb status --project ${project}`);
    expect(withoutModel.out).to.include('Chunks   2, 0 with a vector').and.include('full text only');
  });

  it('roles lists the minimum role of every endpoint and needs no service', async () => {
    const { code, out } = await spawnCli('roles');
    expect(code).to.equal(0);
    expect(out).to.match(/^DELETE +\/v3\/projects\/:project_id +owner$/m);
    expect(out).to.match(/^GET +\/v3\/:project_id\/groups +agent +bot, subscription$/m);
  });

  it('jobs list counts the jobs of every queue', async () => {
    const { code, out } = await cli('jobs list');
    expect(code).to.equal(0);
    expect(out)
      .to.match(/^queue +waiting +active +delayed +failed\nkb +0 +0 +0 +0\n/)
      .and.match(/^maintenance /m);
  });

  it("listeners list shows each listener's cursor, and listeners replay moves it back", async () => {
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
    expect(unknown.error).to.include('No listener nobody; listeners are: events.sync-lead');
    await Promise.all([
      Change.deleteMany({ id_project: change.id_project }),
      ListenerCursor.deleteOne({ cursor: before }),
      DeadLetter.deleteMany({ failedBy: 'relay-test' }),
    ]);
  });

  it('accounts verify marks an e-mail as verified, prints its account, and needs only MongoDB', async () => {
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
    const error = 'No account has the e-mail nobody@example.com\n';
    expect(unknown).to.deep.equal({ code: 1, out: '', error });
  });

  it('requests recount corrects the conversation counters of a project', async () => {
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

  it('seed creates a project with conversations for an account', async () => {
    const { email } = await aPerson();
    const { code, out, error } = await cli(`seed ${email} --requests 20`);
    expect({ code, error }).to.deep.equal({ code: 0, error: '' });
    const [, id_project = ''] = /^Project (\w{24}) has 20 conversations\.$/m.exec(out) ?? [];
    expect(await counters.count({ id_project })).to.equal(20);
    expect(await Message.countDocuments({ id_project })).to.equal(100);
    const [unknown, wrong] = [await cli('seed nobody@example.com'), await cli(`seed ${email} --requests x`)];
    expect([unknown.code, wrong.code]).to.deep.equal([1, 2]);
  });

  it('the cli reports an unavailable service with exit code 1 and wrong usage with exit code 2', async () => {
    const [mongodb, redis, unknown] = await Promise.all([
      spawnCli('kb status'),
      limited.cli('jobs list'),
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
