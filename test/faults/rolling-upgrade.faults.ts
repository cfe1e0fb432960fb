import { expect } from 'chai';
import mongoose from 'mongoose';
import { migrations } from '#shared/migrations/index.ts';
import { readMigrationStates } from '#shared/migrations/migrate.ts';
import { anEarlierVersion } from '../support/earlier-version.ts';
import { aRollingSystem, type RollingSystem, runUnderLoad, type Version } from '../support/rolling-trials.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

const COMMIT = process.env.UPGRADE_FROM ?? 'HEAD~20';
const MESSAGES_PER_SECOND = 10;

describe('Rolling upgrade under load', function () {
  this.timeout(1_800_000);
  let earlier: Awaited<ReturnType<typeof anEarlierVersion>>;
  let system: RollingSystem;

  before(async function () {
    earlier = await anEarlierVersion(COMMIT).catch((error: Error) =>
      skipWithReason(this, `the commit ${COMMIT} cannot be checked out: ${error.message}`),
    );
    system = await aRollingSystem(async (fleet) => {
      await mongoose.connection.dropDatabase(); // the earlier version prepares the database
      return fleet.of(earlier.root);
    });
  });
  after(async () => {
    await system?.close();
    await earlier?.remove();
  });

  const pending = async (): Promise<string[]> =>
    (await readMigrationStates(migrations)).filter(({ isDone }) => !isDone).map(({ name }) => name);

  it('no call fails while all processes of an earlier version are replaced by this version, by the earlier one, and by this one again', async () => {
    const replaceAll = async (version: Version): Promise<void> => {
      for (const index of [0, 1]) await system.replace(index, version, { deregister: true });
    };
    const summary = await runUnderLoad(system, MESSAGES_PER_SECOND, async () => {
      await replaceAll(system.fleet);
      expect(await pending()).to.deep.equal([]);
      await replaceAll(system.fleet.of(earlier.root));
      const command = system.fleet.cli('migrate', 'down');
      expect(await command.exited, command.output()).to.equal(0);
      expect(await pending()).to.deep.equal([migrations.at(-1)?.name]);
      await replaceAll(system.fleet);
      expect(await pending()).to.deep.equal([]);
    });
    console.log(`      from ${earlier.id} to this version, back, and forward again: ${summary}`);
  });
});
