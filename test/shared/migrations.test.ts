/** Migrations run once and compute the data that new records already have; those with a `down` can be undone. */
import { expect } from 'chai';
import * as counters from '#shared/domain/conversations/counters.ts';
import { addToVocabulary } from '#shared/domain/knowledge/indexing/vocabulary.ts';
import { countConversations } from '#shared/migrations/count-conversations.ts';
import { fillKeywords } from '#shared/migrations/fill-keywords.ts';
import { migrations } from '#shared/migrations/index.ts';
import { migrate, undoLastMigration, withMigrationLease } from '#shared/migrations/migrate.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { KbUnansweredQuestion } from '#shared/models/kb-question.ts';
import { KbWord } from '#shared/models/kb-word.ts';
import { Lead } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { Migration } from '#shared/models/migration.ts';
import { prepareDatabase } from '#shared/process/boot.ts';
import { aConversation } from '../support/conversations.ts';
import { anIndexedContent } from '../support/indexed-contents.ts';

type MigratedRecord = { __v: number; updatedAt: Date };

const reversible = migrations.filter(({ down }) => down);

/** Undoes all migrations that can be undone, the last one first. Returns their names. */
const undoAll = async (): Promise<string[]> => {
  const undone: string[] = [];
  for (const _ of reversible) undone.push(await undoLastMigration(migrations));
  return undone;
};

describe('Undoing and rerunning migrations', () => {
  it('migrations that were undone run again and compute the same data; nothing else changes', async () => {
    const { project } = await aConversation({ text: 'Où est ma commande?', senderFullname: 'Zoé', email: 'zoe@x.org' });
    const [own, namespaceKey] = [{ id_project: project.id }, { id_project: project.id, namespace: project.id }];
    const question = { ...namespaceKey, question: 'Is there a former question?', needsCluster: true };
    await Promise.all([
      anIndexedContent(namespaceKey, ['The sourdough rises.']),
      KbUnansweredQuestion.create([question]),
    ]);
    await addToVocabulary(namespaceKey, ['The sourdough rises.']);
    const read = async () => [
      await Conversation.findOne(own).select('+keywords').lean(),
      await Message.findOne(own).select('+keywords').lean(),
      await Lead.findOne(own).select('+fullname_keywords +email_keywords').lean(),
      await counters.count(own),
      await KbUnansweredQuestion.find(own).lean(),
      await KbWord.find(own).sort({ _id: 1 }).lean(),
    ];
    const fresh = await read();
    expect((fresh[0] as { keywords?: string[] }).keywords).to.include.members(['ou', 'commande', 'zoe', 'zoe@x.org']);
    expect(fresh.at(-1)).to.not.have.length(0);
    expect(await undoAll()).to.deep.equal(reversible.map(({ name }) => name).toReversed());
    for (const [index, record] of (await read()).entries()) expect(record).to.not.deep.equal(fresh[index]);
    await prepareDatabase();
    expect(await read()).to.deep.equal(fresh);
    for (const migration of [fillKeywords, countConversations]) await migration(); // a rerun changes nothing
    expect(await read()).to.deep.equal(fresh);
    expect(fresh.slice(0, 3).map((record) => (record as MigratedRecord).__v)).to.deep.equal([0, 0, 0]);
  });

  it('undoing a migration that cannot be undone is refused, and the migration remains recorded as done', async () => {
    await undoAll();
    const refusal = await undoLastMigration(migrations).catch((error: Error) => error.message);
    expect(refusal).to.include('cannot be undone; restore a backup');
    expect((await Migration.findOne({ _id: 'schema' }).orFail().lean()).done).to.include(migrations[0]?.name);
    await prepareDatabase();
  });

  it('two processes that migrate at the same time run each migration once', async () => {
    const ran: string[] = [];
    const steps = ['a', 'b'].map((letter) => ({
      name: `${letter}-of-two-processes`,
      up: async () => ran.push(letter),
      down: async () => ran.push(`undo ${letter}`),
    }));
    await Promise.all([prepareDatabase(steps), prepareDatabase(steps)]);
    const undone = await Promise.all([undoLastMigration(steps), undoLastMigration(steps)]);
    expect(undone.toSorted()).to.deep.equal(['a-of-two-processes', 'b-of-two-processes']);
    expect(ran).to.deep.equal(['a', 'b', 'undo b', 'undo a']);
  });
});

describe('Lost migration lease', () => {
  const readDone = async () => (await Migration.findOne({ _id: 'schema' }).orFail().lean()).done;
  /** Another process takes over the lease, changes nothing, and releases the lease. */
  const loseLease = () => Migration.updateOne({ _id: 'schema' }, { $set: { holder: 'another', leaseUntil: null } });
  const errorCode = ({ code }: { code?: string }) => code;

  /** Two migrations. The first one loses the lease the first time it is run, and the first time it is undone. */
  const losingSteps = (prefix: string) => {
    const ran: string[] = [];
    const run = async (name: string) => {
      ran.push(name);
      if (ran.filter((each) => each === name).length === 1 && name.endsWith('a')) await loseLease();
    };
    const steps = ['a', 'b'].map((letter) => {
      return { name: `${prefix}-${letter}`, up: () => run(letter), down: () => run(`undo ${letter}`) };
    });
    return { ran, steps, names: steps.map(({ name }) => name) };
  };

  it('a process that loses the lease during a migration does not record the migration as done, and starts no further migration', async () => {
    const { ran, steps, names } = losingSteps('lost-lease');
    expect(await prepareDatabase(steps).catch(errorCode)).to.equal('LEASE_LOST');
    expect(ran).to.deep.equal(['a']);
    expect(await readDone()).to.not.include(names[0]);
    await prepareDatabase(steps);
    expect(ran).to.deep.equal(['a', 'a', 'b']);
    expect(await readDone()).to.include.members(names);
  });

  it('a process that has lost the lease before a migration does not start the migration', async () => {
    const { ran, steps } = losingSteps('lost-before');
    const migrateTooLate = withMigrationLease(async (lease) => {
      await loseLease();
      await migrate(steps, lease);
    });
    expect(await migrateTooLate.catch(errorCode)).to.equal('LEASE_LOST');
    expect(ran).to.deep.equal([]);
  });

  it('a process that loses the lease while it undoes a migration leaves the migration recorded as done', async () => {
    const { ran, steps, names } = losingSteps('lost-undo');
    const first = steps.slice(0, 1);
    await prepareDatabase(first).catch(errorCode);
    await prepareDatabase(first);
    expect(await undoLastMigration(first).catch(errorCode)).to.equal('LEASE_LOST');
    expect(await readDone()).to.include(names[0]);
    expect(await undoLastMigration(first)).to.equal(names[0]);
    expect(ran).to.deep.equal(['a', 'a', 'undo a', 'undo a']);
  });
});
