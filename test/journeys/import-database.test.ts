/**
 * Imports a small database of the public server (see docs/import.md) with `npm run cli -- import`. The long form is in
 * test/faults.
 */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import jsonwebtoken from 'jsonwebtoken';
import { config } from '#shared/config.ts';
import { inTransaction } from '#shared/database/connection.ts';
import { importDatabase, type ImportReport } from '#shared/domain/database-import/import-database.ts';
import { type CollectionProgress, saveProgress } from '#shared/domain/database-import/progress.ts';
import type { AppError } from '#shared/errors.ts';
import { DatabaseImport } from '#shared/models/database-import.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { Message } from '#shared/models/message.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { Tag } from '#shared/models/tag.ts';
import { User } from '#shared/models/user.ts';
import { formatReport } from '../../scripts/cli/import.ts';
import { api, type Caller } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { databaseDigest } from '../support/database-digest.ts';
import { expectSameConversation, signInAll } from '../support/public-server/check-import.ts';
import { conversationOf } from '../support/public-server/conversations.ts';
import { runImport } from '../support/public-server/killed-import.ts';
import {
  digestOf,
  dropDatabase,
  type WrittenProject,
  writePublicServerDatabase,
} from '../support/public-server/write-database.ts';
import { readBytes } from '../support/uploads.ts';

const REQUESTS = 60;
const MESSAGES_EACH = 10;

const sourceUri = new URL(config.MONGODB_URI);
sourceUri.pathname = `/public-server-${process.pid}`;
const uri = sourceUri.href;

describe('npm run cli -- import', () => {
  let written: WrittenProject[];
  let projects: string[];
  let sourceDigest: string;
  let report: ImportReport;
  let owner: Caller;

  const digest = async (ids = projects): Promise<string> =>
    JSON.stringify([
      await databaseDigest(...ids),
      await Project.find({ _id: { $in: projects } }).lean(),
      await User.find({ email: /@example\.org$/ })
        .sort({ _id: 1 })
        .lean(),
    ]);

  before(async () => {
    const prefix = randomBytes(2).toString('hex');
    const size = { projects: 2, requests: REQUESTS, messagesEach: MESSAGES_EACH, days: 3, prefix, now: Date.now() };
    written = await writePublicServerDatabase(uri, size);
    projects = written.map(({ seed }) => seed.team.id_project);
    sourceDigest = await digestOf(uri);
  });
  after(() => dropDatabase(uri));

  it('reports with --dry-run what it would import, and writes nothing', async () => {
    const dry = await importDatabase(uri, { dryRun: true });
    expect(dry.collections.find(({ source }) => source === 'requests')).to.include({
      imported: 2 * REQUESTS,
      rejected: 4,
    });
    expect(await DatabaseImport.countDocuments({ source: dry.source })).to.equal(0);
    expect(await Project.countDocuments({ _id: { $in: projects } })).to.equal(0);
    expect(formatReport(dry)).to.match(/Nothing was written, because this was a dry run\.$/);
  });

  it('creates no collection and no index with --dry-run', async () => {
    const target = new URL(config.MONGODB_URI);
    target.pathname = `/dry-run-${process.pid}`;
    const { code, out } = await runImport([uri, '--dry-run'], { env: { MONGODB_URI: target.href } });
    expect(code).to.equal(1); // documents were rejected
    expect(out).to.include('Nothing was written');
    expect(await digestOf(target.href)).to.equal(await digestOf(new URL('/never-used', target).href));
  });

  it('continues after it has been killed, and imports every document once', async () => {
    const killed = await runImport([uri], { env: {}, isKilledAt: (line) => line.startsWith('messages: ') });
    expect(killed.signal, killed.progress.join('\n')).to.equal('SIGKILL');
    expect(await Message.countDocuments({ id_project: { $in: projects } })).to.be.greaterThan(0);
    expect(killed.progress.join()).not.to.include('counters and analytics: 100%');
    report = await importDatabase(uri);
    const counted = (name: string) => report.collections.find(({ source }) => source === name);
    expect(counted('requests')).to.include({
      read: 2 * REQUESTS + 4,
      imported: 2 * REQUESTS,
      existing: 0,
      rejected: 4,
    });
    const messages = 2 * REQUESTS * MESSAGES_EACH;
    expect(counted('messages')).to.include({ read: messages + 4, imported: messages, existing: 0, rejected: 4 });
    expect(await Message.countDocuments({ id_project: { $in: projects } })).to.equal(messages);
  });

  it('reports rejected and expired documents, dropped fields, and collections without a counterpart', () => {
    for (const { faulty } of written)
      for (const { collection, document, reason } of faulty) {
        const fault = report.faults.find(({ record }) => record === String(document._id));
        expect(fault, `${collection} ${reason}`).to.include({ collection });
        expect(fault?.reason).to.include(reason);
      }
    const reasons = report.faults.map(({ reason }) => reason).join('\n');
    expect(reasons)
      .to.include('the active membership of the same person')
      .and.to.include('must be the name of an event');
    expect(report.without_counterpart).to.deep.equal({ roles: 2, subscriptionlogs: 2 });
    expect(report.collections.find(({ source }) => source === 'events')).to.include({ imported: 2, expired: 2 });
    expect(formatReport(report)).to.include('users').and.not.to.include('very-secret');
  });

  it('lets people sign in with their old passwords, whose hashes are replaced', async () => {
    owner = await signInAll(written[0] as WrittenProject, 2);
  });

  it('imports conversations and messages with every field that the API returns', async () => {
    for (const number of [0, 1, 33, 55, ...[56, 57, 58, 59]])
      await expectSameConversation(written[0] as WrittenProject, number, owner);
  });

  it('keeps the secrets of projects, so that tokens signed by their own systems stay valid', async () => {
    const [{ seed }] = written as [WrittenProject];
    const { _id, jwtSecret } = seed.team.project;
    const claims = { _id: 'customer-1', sub: 'userexternal', aud: `https://tiledesk.com/projects/${String(_id)}` };
    const authorization = `JWT ${jsonwebtoken.sign(claims, jwtSecret)}`;
    const reply = await api({ id: 'customer-1', authorization }).post('/v3/auth/signinWithCustomToken', {});
    expect(reply.status, reply.text).to.equal(200);
    const project = await Project.findOne({ _id }, { settings: 1, widget: 1, smtpPassword: 1 }).orFail().lean();
    expect(JSON.stringify(project)).not.to.include('mail-pass').and.not.to.include('onclick');
    expect(project.smtpPassword).to.be.a('string');
  });

  it('derives counts, tickets and loads of agents, and queues contents for indexing', async () => {
    const [{ seed }] = written as [WrittenProject];
    const { id_project, agents } = seed.team;
    const all = Array.from({ length: REQUESTS }, (_, number) => conversationOf(seed, number).request);
    const count = (filter: (request: (typeof all)[0]) => boolean): number => all.filter(filter).length;
    const counts = await api(owner).get(`/v3/${id_project}/requests/count`);
    expect(counts.body).to.deep.equal({
      unassigned: count(({ status, preflight }) => status === 100 && !preflight),
      assigned: count(({ status, hasBot }) => status === 200 && !hasBot),
      bot_assigned: count(({ status, hasBot }) => status === 200 && hasBot === true),
    });
    for (const { _id, id_user } of agents) {
      const open = count(
        ({ status, participants }) => status !== 1000 && (participants as string[]).includes(String(id_user)),
      );
      const member = await ProjectUser.findOne({ id_project, _id: String(_id) })
        .orFail()
        .lean();
      expect(member.number_assigned_requests).to.equal(open);
      expect(member.reservations ?? []).to.have.length(open);
    }
    const total = await api(owner).get(`/v3/${id_project}/analytics/messages/count?start=2020-01-01`);
    expect(total.body).to.deep.equal([{ totalCount: REQUESTS * MESSAGES_EACH }]);
    const opened = await api(owner).post(`/v3/${id_project}/requests`, { first_text: 'new' });
    expect(opened.body.ticket_id).to.equal(REQUESTS + 1);
    const contents = await KbContent.find({ id_project }).lean();
    expect(contents.map(({ status }) => status)).to.deep.equal([-1, -1, -1, -1]);
  });

  it('stores files, and makes their thumbnails', async () => {
    const [{ files }] = written as [WrittenProject];
    for (const { path, bytes, isImported } of files.filter((file) => !file.path.includes('thumbnails'))) {
      const read = await readBytes(`/v3/files?path=${encodeURIComponent(path)}`);
      expect(read.status, path).to.equal(isImported ? 200 : 404);
      if (isImported) expect(read.bytes.equals(bytes), path).to.equal(true);
    }
    const [thumbnail] = files.filter(({ path }) => path.includes('thumbnails'));
    const read = await readBytes(`/v3/files?path=${encodeURIComponent(thumbnail?.path ?? '')}`);
    expect(read.status).to.equal(200);
  });

  it('emits no event for imported records', async () => {
    expect(await relayedChanges(projects[1] as string)).to.deep.equal([]);
  });

  it('changes nothing when it is repeated, and does not revert changes and deletions made since; with --all, it imports deleted records again', async () => {
    const [, id_project] = projects as [string, string];
    await Tag.deleteOne({ id_project, tag: 'refund' });
    await Subscription.updateOne({ id_project }, { $set: { enabled: false } });
    const before = [await digest(), await DatabaseImport.find({ source: report.source }).lean()];
    const { code, out } = await runImport([uri, '--json'], { env: {} });
    const repeated = JSON.parse(out) as ImportReport;
    expect(code).to.equal(1); // documents were rejected
    expect([await digest(), await DatabaseImport.find({ source: report.source }).lean()]).to.deep.equal(before);
    expect(repeated.collections).to.deep.equal(report.collections);
    const untouched = await digest([id_project]);
    const all = await importDatabase(uri, { all: true });
    const added = all.collections.filter(({ imported }) => imported).map(({ source, imported }) => [source, imported]);
    expect(added).to.deep.equal([['tags', 1]]);
    await Tag.deleteOne({ id_project, tag: 'refund' });
    expect(await digest([id_project])).to.equal(untouched);
  });

  it('ends if another process is importing from the same source', async () => {
    const fields = { __v: 0, createdAt: 0, updatedAt: 0 };
    const filter = { source: report.source, collection_name: 'tags' };
    const stored = await DatabaseImport.findOne(filter, fields).orFail().lean();
    const progress = { ...stored, after: undefined } as unknown as CollectionProgress;
    const save = inTransaction((session) => saveProgress(progress, progress, { rejected: [], session }));
    expect(await save.catch((error: AppError) => error.code)).to.equal('IMPORT_RUNNING');
  });

  it('refuses a connection string without a database, a database of this system, and a server that does not answer', async () => {
    const failure = (source: string) => importDatabase(source).then(String, (error: AppError) => error.message);
    expect(await failure('mongodb://127.0.0.1:9')).to.include('must be a connection string with a database name');
    expect(await failure(config.MONGODB_URI)).to.include('must be a database of the public server, not of this system');
    const closed = 'mongodb://user:hidden@127.0.0.1:9/chat?serverSelectionTimeoutMS=50';
    expect(await failure(closed))
      .to.include('cannot be read')
      .and.not.to.include('hidden');
  });

  it('refuses an invalid connection string with an error that names the parameter and contains no part of the string', async () => {
    for (const source of [
      'mongodb://hidden:a/b@127.0.0.1:9/chat',
      'mongodb://hid@den:secret@127.0.0.1:9/chat',
      'mongodb://127.0.0.1:9/chat?hidden=1',
      'mongodb://127.0.0.1:hidden/chat',
      'mongodb://127.0.0.1:9/chat?readPreference=hidden',
    ]) {
      const { status, code, message } = await importDatabase(source).then(
        () => ({}) as AppError,
        (error: AppError) => error,
      );
      expect([status, code], message).to.deep.equal([422, 'INVALID']);
      expect(message)
        .to.match(/^source: must be a valid connection string/)
        .and.not.include('hid');
    }
  });

  it('writes nothing to the source', async () => {
    expect(await digestOf(uri)).to.equal(sourceDigest);
  });
});
