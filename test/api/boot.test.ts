import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { config } from '#shared/config.ts';
import { withLease } from '#shared/migrations/lease.ts';
import { MIGRATION_RECORD_ID } from '#shared/migrations/migrate.ts';
import { Migration } from '#shared/models/migration.ts';
import { prepareDatabase } from '#shared/process/boot.ts';
import { anApiProcess } from '../support/api-process.ts';
import { commandsDuring } from '../support/mongo-commands.ts';

const LEASE_MS = 300;

describe('Database lease', () => {
  it('a lease has one holder at a time', async () => {
    const name = randomUUID();
    let inside = 0;
    let maxInside = 0;
    const holdLease = async () => {
      maxInside = Math.max(maxInside, ++inside);
      await new Promise(setImmediate);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => withLease(name, LEASE_MS, holdLease)));
    expect({ maxInside, inside }).to.deep.equal({ maxInside: 1, inside: 0 });
  });

  it('a lease whose holder died is taken over only after it has expired', async () => {
    const name = randomUUID();
    const leaseUntil = new Date(Date.now() + LEASE_MS);
    await Migration.create([{ _id: name, holder: 'dead', leaseUntil }]);
    const taken = await withLease(name, LEASE_MS, async () => Date.now());
    expect(taken).to.be.at.least(leaseUntil.getTime());
  });

  it('a lease is released when the work of its holder fails', async () => {
    const name = randomUUID();
    const failed = await withLease(name, 60_000, () => Promise.reject(new Error('no'))).catch(
      (error: Error) => error.message,
    );
    expect([failed, await withLease(name, 60_000, async () => 'next')]).to.deep.equal(['no', 'next']);
  });
});

describe('Migrations', () => {
  it('migrations run once and in order when several processes boot at the same time', async () => {
    const ran: string[] = [];
    const prefix = randomUUID();
    const steps = ['1', '2'].map((number) => ({ name: `${prefix}-${number}`, up: async () => ran.push(number) }));
    await Promise.all([prepareDatabase(steps), prepareDatabase(steps), prepareDatabase(steps)]);
    expect(ran).to.deep.equal(['1', '2']);
  });

  it('a migration that fails stops the boot, and the next boot continues with that migration', async () => {
    const ran: string[] = [];
    const prefix = randomUUID();
    let broken = true;
    const steps = ['1', '2', '3'].map((number) => ({
      name: `${prefix}-${number}`,
      up: async () => {
        if (number === '2' && broken) throw new Error('not yet');
        ran.push(number);
      },
    }));
    const failure = await prepareDatabase(steps).catch((error: Error) => error.message);
    expect(failure).to.include('not yet');
    broken = false;
    await prepareDatabase(steps);
    expect(ran).to.deep.equal(['1', '2', '3']);
  });
});

describe('Changed indexes', () => {
  const name = 'id_project_1_bot_1_conversation_1_position_1';
  const calls = () => mongoose.connection.collection('bot_calls');
  const indexOf = async () => (await calls().indexes()).filter((index) => index.name === name);

  it('a boot recreates an index whose options have changed', async () => {
    const [current] = await indexOf();
    await calls().dropIndex(name);
    const changed = { name, partialFilterExpression: { earlierField: { $exists: true } } };
    await calls().createIndex(current?.key ?? {}, changed);
    await Migration.updateOne({ _id: MIGRATION_RECORD_ID }, { $set: { indexDigest: 'of the earlier version' } });
    await prepareDatabase([]);
    expect(await indexOf()).to.deep.equal([current]);
  });

  it('a boot creates an index that was removed after an earlier boot had created it', async () => {
    await prepareDatabase([]);
    const [current] = await indexOf();
    await calls().dropIndex(name);
    await prepareDatabase([]);
    expect(await indexOf()).to.deep.equal([current]);
  });

  it('a boot on a database that an earlier boot has prepared neither waits for the lease of the migrations nor creates indexes', async () => {
    await prepareDatabase([]);
    const commands = (await commandsDuring(() => prepareDatabase([]))) as Record<string, unknown>[];
    const ofMigrations = commands.filter((command) => Object.values(command).includes('migrations'));
    expect(ofMigrations.map((command) => Object.keys(command)[0])).to.deep.equal(['find']);
    expect(commands.filter((command) => 'createIndexes' in command)).to.deep.equal([]);
  });
});

describe('Concurrent boot', () => {
  it('API processes that boot at the same time on an empty database all start, and create every index', async () => {
    const uri = new URL(config.MONGODB_URI);
    uri.pathname = `/boot-${randomUUID().slice(0, 8)}`;
    const processes = await Promise.all([1, 2].map(() => anApiProcess({ MONGODB_URI: uri.href, LOG_LEVEL: 'warn' })));
    const database = mongoose.connection.getClient().db(uri.pathname.slice(1));
    try {
      const indexes = await database.collection('users').indexes();
      expect(indexes.map(({ key, unique }) => ({ key, unique }))).to.deep.include({ key: { email: 1 }, unique: true });
      expect(processes.map(({ output }) => output()).join('')).to.equal('');
    } finally {
      await Promise.all(processes.map(({ stop }) => stop('SIGKILL')));
      await database.dropDatabase();
    }
  });
});
