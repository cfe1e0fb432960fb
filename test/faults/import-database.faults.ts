/** Imports a large database of the public server (see docs/import.md), and kills the import three times. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { importDatabase, type ImportReport } from '#shared/domain/database-import/import-database.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { Project } from '#shared/models/project.ts';
import { User } from '#shared/models/user.ts';
import { expectSameConversation, signInAll } from '../support/public-server/check-import.ts';
import { type ImportRun, runImport } from '../support/public-server/killed-import.ts';
import {
  digestOf,
  dropDatabase,
  type WrittenProject,
  writePublicServerDatabase,
} from '../support/public-server/write-database.ts';
import { random } from '../support/seeded-random.ts';

const REQUESTS = Number(process.env.FAULT_REQUESTS ?? 50_000);
const MESSAGES_EACH = 10;
const PROJECTS = 2;
const CHECKED_CONVERSATIONS = 250;

/** Where the import is killed: while it imports messages and conversations, and while it derives counters. */
const KILLS = [/^messages: [3-9]\d%/, /^requests: [4-9]\d%/, /^counters and analytics: /];

const sourceUri = new URL(config.MONGODB_URI);
sourceUri.pathname = `/public-server-${process.pid}`;
const uri = sourceUri.href;

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

describe('An import of a large database of the public server', function () {
  this.timeout(3_600_000);
  let written: WrittenProject[];
  let sourceDigest: string;
  let report: ImportReport;

  before(async () => {
    const prefix = randomBytes(2).toString('hex');
    const size = {
      projects: PROJECTS,
      requests: REQUESTS / PROJECTS,
      messagesEach: MESSAGES_EACH,
      days: 300,
      prefix,
      now: Date.now(),
    };
    const start = performance.now();
    written = await writePublicServerDatabase(uri, size);
    console.log(`      the source was written in ${seconds(start)}`);
    sourceDigest = await digestOf(uri);
  });
  after(() => dropDatabase(uri));

  it(`${REQUESTS} conversations are imported once, although the import is killed ${KILLS.length} times`, async () => {
    const runs: ImportRun[] = [];
    for (const place of KILLS) {
      const start = performance.now();
      const run = await runImport([uri], { env: {}, isKilledAt: (line) => place.test(line) });
      console.log(`      killed after ${seconds(start)} at "${run.progress.at(-1) ?? ''}"`);
      runs.push(run);
    }
    expect(runs.map(({ signal }) => signal)).to.deep.equal(KILLS.map(() => 'SIGKILL'));
    const start = performance.now();
    report = await importDatabase(uri);
    console.log(`      completed after ${seconds(start)}`);
    const counted = (name: string) => report.collections.find(({ source }) => source === name);
    expect(counted('requests')).to.include({ imported: REQUESTS, existing: 0 });
    expect(counted('messages')).to.include({ imported: REQUESTS * MESSAGES_EACH, existing: 0 });
    const ours = { id_project: { $in: written.map(({ seed }) => seed.team.id_project) } };
    expect(await Conversation.countDocuments(ours)).to.equal(REQUESTS);
    expect(await Message.countDocuments(ours)).to.equal(REQUESTS * MESSAGES_EACH);
  });

  it('people sign in with their old passwords, and conversations are returned unchanged', async () => {
    for (const project of written) {
      const owner = await signInAll(project);
      for (let checked = 0; checked < CHECKED_CONVERSATIONS; checked += 1)
        await expectSameConversation(project, Math.floor(random() * project.seed.requests), owner);
    }
  });

  it('a second import changes nothing in this system or in the source', async () => {
    const own = new URL(config.MONGODB_URI).href;
    const before = await digestOf(own);
    const start = performance.now();
    expect((await importDatabase(uri)).collections).to.deep.equal(report.collections);
    console.log(`      repeated in ${seconds(start)}`);
    expect(await digestOf(own)).to.equal(before);
    expect(await digestOf(uri)).to.equal(sourceDigest);
  });

  it('an import with the option `all`, which reads the documents of earlier imports again, changes nothing', async () => {
    const id_project = { $in: written.map(({ seed }) => seed.team.id_project) };
    const state = async () => [
      await User.countDocuments(),
      await Project.countDocuments(),
      await Conversation.countDocuments({ id_project }),
      await Message.countDocuments({ id_project }),
    ];
    const before = await state();
    const start = performance.now();
    const all = await importDatabase(uri, { all: true });
    console.log(`      read again in ${seconds(start)}`);
    expect(all.collections.filter(({ imported }) => imported)).to.deep.equal([]);
    expect(await state()).to.deep.equal(before);
  });
});
