import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { prepareDatabase } from '#shared/boot.ts';
import { config } from '#shared/config.ts';
import { holding } from '#shared/lease.ts';
import { Migration } from '#shared/models/migration.ts';
import { anApiProcess } from '../support/api-process.ts';

const LEASE_MS = 300;

describe('A lease', () => {
  it('lets one work at a time', async () => {
    const name = randomUUID();
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise(setImmediate);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => holding(name, LEASE_MS, work)));
    expect({ most, inside }).to.deep.equal({ most: 1, inside: 0 });
  });

  it('is taken over when its holder died, not before its end', async () => {
    const name = randomUUID();
    const until = new Date(Date.now() + LEASE_MS);
    await Migration.create([{ _id: name, holder: 'dead', until }]);
    const taken = await holding(name, LEASE_MS, async () => Date.now());
    expect(taken).to.be.at.least(until.getTime());
  });

  it('is given back when the work fails', async () => {
    const name = randomUUID();
    const failed = await holding(name, 60_000, () => Promise.reject(new Error('no'))).catch(
      (error: Error) => error.message,
    );
    expect([failed, await holding(name, 60_000, async () => 'next')]).to.deep.equal(['no', 'next']);
  });
});

describe('Migrations', () => {
  it('run once in their order, whoever boots at the same time', async () => {
    const ran: string[] = [];
    const prefix = randomUUID();
    const steps = ['1', '2'].map((number) => ({ name: `${prefix}-${number}`, up: async () => ran.push(number) }));
    await Promise.all([prepareDatabase(steps), prepareDatabase(steps), prepareDatabase(steps)]);
    expect(ran).to.deep.equal(['1', '2']);
  });

  it('stop at one that fails and go on from it the next time', async () => {
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

describe('Processes that boot at once', () => {
  it('all come up on an empty database, with every index made', async function () {
    this.timeout(20_000);
    const uri = new URL(config.MONGODB_URI);
    uri.pathname = `/boot-${randomUUID().slice(0, 8)}`;
    const processes = await Promise.all(
      [1, 2, 3].map(() => anApiProcess({ MONGODB_URI: uri.href, LOG_LEVEL: 'warn' })),
    );
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
