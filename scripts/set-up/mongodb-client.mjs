/**
 * `describe PORT` prints the process id and data folder of the MongoDB server on a port, or null if there is none.
 * `prepare PORT` makes the server a replica set of one node and waits until it accepts writes. With a third argument,
 * `without-journal`, writes do not wait for the journal unless they ask for it. Runs under Node 24.
 */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

// The driver that mongoose uses, without mongoose, which takes as long to load as the driver.
const { MongoClient } = createRequire(import.meta.resolve('mongoose'))('mongodb');

const NOT_INITIALIZED_CODE = 94;
const [action, port, journal] = process.argv.slice(2);
const admin = (client) => (command) => client.db('admin').command(command);
const member = { _id: 0, host: `127.0.0.1:${port}` };

async function describeServer(command) {
  const options = await command({ getCmdLineOpts: 1 });
  const { pid } = await command({ serverStatus: 1, repl: 0, metrics: 0, wiredTiger: 0 });
  return { pid: Number(pid), folder: options.parsed.storage?.dbPath };
}

/** Updates the address of a replica set that was created on another port. */
async function updateAddress(command) {
  const { config } = await command({ replSetGetConfig: 1 });
  if (config.members[0].host === member.host) return;
  const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], ...member }] };
  await command({ replSetReconfig: moved, force: true });
}

async function prepare(command) {
  try {
    await updateAddress(command);
  } catch (error) {
    if (error.code !== NOT_INITIALIZED_CODE) throw error;
    const writeConcernMajorityJournalDefault = journal !== 'without-journal';
    await command({ replSetInitiate: { _id: 'rs0', members: [member], writeConcernMajorityJournalDefault } });
  }
  while (!(await command({ hello: 1 })).isWritablePrimary) await sleep(20);
  return {};
}

const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true&serverSelectionTimeoutMS=2000`);
try {
  await client.connect();
  console.log(JSON.stringify(await (action === 'describe' ? describeServer : prepare)(admin(client))));
} catch (error) {
  // For `describe`, a port without MongoDB is not an error.
  if (action !== 'describe') throw error;
  console.log('null');
} finally {
  await client.close();
}
