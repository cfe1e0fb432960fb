/** `ask PORT` tells who runs there; `prepare PORT` makes it a replica set of one node that takes writes. Run by Node 24. */
import { setTimeout as sleep } from 'node:timers/promises';
import { mongo } from 'mongoose';

const NOT_YET = 94;
const [verb, port] = process.argv.slice(2);
const admin = (client) => (command) => client.db('admin').command(command);
const member = { _id: 0, host: `127.0.0.1:${port}` };

async function ask(command) {
  const options = await command({ getCmdLineOpts: 1 });
  const { pid } = await command({ serverStatus: 1, repl: 0, metrics: 0, wiredTiger: 0 });
  return { pid: Number(pid), folder: options.parsed.storage?.dbPath };
}

/** A set that was made on another port does not know itself here: give it the new address. */
async function moveIn(command) {
  const { config } = await command({ replSetGetConfig: 1 });
  if (config.members[0].host === member.host) return;
  const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], ...member }] };
  await command({ replSetReconfig: moved, force: true });
}

async function prepare(command) {
  try {
    await moveIn(command);
  } catch (error) {
    if (error.code !== NOT_YET) throw error;
    await command({ replSetInitiate: { _id: 'rs0', members: [member] } });
  }
  while (!(await command({ hello: 1 })).isWritablePrimary) await sleep(20);
  return {};
}

const client = new mongo.MongoClient(
  `mongodb://127.0.0.1:${port}/?directConnection=true&serverSelectionTimeoutMS=2000`,
);
try {
  await client.connect();
  console.log(JSON.stringify(await (verb === 'ask' ? ask : prepare)(admin(client))));
} catch (error) {
  // To ask is to allow "nobody of that kind": the caller decides what that means.
  if (verb !== 'ask') throw error;
  console.log('null');
} finally {
  await client.close();
}
