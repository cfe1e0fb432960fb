/**
 * Preloaded into the processes of a fleet: appends the MongoDB commands of the process to a file in `COMMAND_LOG`, one
 * JSON array per line: time, command, collection.
 */
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import mongoose from 'mongoose';

const folder = process.env.COMMAND_LOG;
Error.stackTraceLimit = 60;
if (folder) {
  const file = createWriteStream(path.join(folder, `${process.pid}.jsonl`), { flags: 'a' });
  const connect = mongoose.connect.bind(mongoose);
  const role = path.basename(path.dirname(process.argv[1] ?? '')) ;
  mongoose.connect = async (uri, options) => {
    const result = await connect(uri, { ...options, monitorCommands: true });
    mongoose.connection.getClient().on('commandStarted', ({ commandName, command }) => {
      const collection = command.collection ?? command[commandName];
      const stack = process.env.COMMAND_STACKS ? new Error('x').stack.split('\n').filter((l)=>!l.includes('node_modules')&&!l.includes('node:')&&!l.includes('log-commands')).map((l)=>/(shared|api|workers)\/[^)]*/.exec(l)?.[0]).filter(Boolean).slice(0,6) : undefined;
      file.write(`${JSON.stringify([Date.now(), role, commandName, String(collection), stack, process.env.COMMAND_STACKS ? JSON.stringify(command, (k, v) => k==='lsid'||k==='$clusterTime'||k==='signature'?undefined:v)?.slice(0, 400):undefined])}\n`);
    });
    return result;
  };
}
