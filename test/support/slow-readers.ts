/** Followers of a project that take little or nothing, and what an API process needs for them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { call, type Caller } from './api.ts';
import { anOperator } from './people.ts';

interface SlowReader {
  caller: Caller;
  project: string;
  /** Bytes that it reads a second. */
  bytes?: number;
  path?: string;
}

/** A connection of its own that asks for the stream, or for another path, and reads little or nothing of the answer. */
export const aSlowReader = async (
  url: string,
  { caller, project, bytes = 0, path = `/v3/${project}/stream?after=0` }: SlowReader,
): Promise<Socket> => {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined); // sent away
  socket.pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${caller.authorization}\r\n\r\n`);
  if (bytes) {
    const reading = setInterval(() => socket.read(Math.min(bytes, socket.readableLength)), 1000);
    socket.once('close', () => clearInterval(reading));
  }
  return socket;
};

const figureOf = (metrics: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]);

/** Bytes that an API process has in use, garbage included, as it says itself. */
export const memoryOf = async (url: string): Promise<number> => {
  const { authorization } = await anOperator();
  const { text } = await call('GET', `${url}/metrics`, { headers: { authorization } });
  return figureOf(text, 'nodejs_heap_size_used_bytes') + figureOf(text, 'nodejs_external_memory_bytes');
};
