/** Locks between processes of one machine which the kernel frees when their holder ends, however it ends. */
import { createServer, connect } from 'node:net';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const LINUX_NAME = 107;

// Linux has socket names that are no files and vanish with the process; elsewhere a socket file must do. The name is
// padded to its full length: older Nodes do that themselves, newer ones do not, and both must mean the same lock.
const addressOf = (name) =>
  process.platform === 'linux'
    ? `\0${`support-chat-${name}`.padEnd(LINUX_NAME, '.')}`
    : path.join(tmpdir(), `support-chat-${name}.sock`);

const listen = (server, address) =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(address, () => resolve(true));
  });

/** What the holder of that lock tells about itself; undefined when nobody holds it. */
export const holderOf = (name) =>
  new Promise((resolve) => {
    let told = '';
    const socket = connect(addressOf(name));
    socket.setEncoding('utf8').setTimeout(2000, () => socket.destroy());
    socket.on('data', (text) => {
      told += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(told === '' ? undefined : JSON.parse(told)));
  });

/**
 * Take the lock of that name; undefined when another process has it.
 * What is given to `tell` is what others hear from `holderOf`; the process id is always told.
 */
export async function take(name) {
  let told = { pid: process.pid };
  const server = createServer((socket) => socket.on('error', () => {}).end(JSON.stringify(told)));
  const address = addressOf(name);
  // A socket file outlives a killed holder: nobody answers there, so it may go.
  if (!address.startsWith('\0') && !(await holderOf(name))) rmSync(address, { force: true });
  if (!(await listen(server, address))) return undefined;
  server.unref();
  return {
    tell: (more) => {
      told = { ...told, ...more };
    },
    release: () => new Promise((resolve) => server.close(resolve)),
  };
}
