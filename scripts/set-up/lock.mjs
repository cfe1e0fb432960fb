/** Locks between processes on one machine. The kernel releases a lock when its holder exits. */
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const LINUX_NAME_LENGTH = 107;

// On Linux, the address is an abstract socket name, which vanishes with the process; on other systems, it is a socket
// file. The abstract name is padded to the maximum length, so that it is the same in all Node versions: only older ones
// pad shorter names.
const lockAddress = (name) =>
  process.platform === 'linux'
    ? `\0${`support-chat-${name}`.padEnd(LINUX_NAME_LENGTH, '.')}`
    : path.join(tmpdir(), `support-chat-${name}.sock`);

const listen = (server, address) =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(address, () => resolve(true));
  });

/** Returns the properties that the holder of a lock has published, and its `pid`; undefined if the lock is free. */
export const lockHolder = (name) =>
  new Promise((resolve) => {
    let received = '';
    const socket = connect(lockAddress(name));
    socket.setEncoding('utf8').setTimeout(2000, () => socket.destroy());
    socket.on('data', (text) => {
      received += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received === '' ? undefined : JSON.parse(received)));
  });

/**
 * Takes the lock of the given name. Returns `{ publish, release }`, or undefined if another process holds the lock.
 * `publish(more)` adds properties to the result of `lockHolder` in other processes.
 */
export async function takeLock(name) {
  let holder = { pid: process.pid };
  const server = createServer((socket) => socket.on('error', () => {}).end(JSON.stringify(holder)));
  const address = lockAddress(name);
  // A killed holder leaves its socket file behind.
  if (!address.startsWith('\0') && !(await lockHolder(name))) rmSync(address, { force: true });
  if (!(await listen(server, address))) return undefined;
  server.unref();
  return {
    publish: (more) => {
      holder = { ...holder, ...more };
    },
    release: () => new Promise((resolve) => server.close(resolve)),
  };
}
