/** Clients that read slowly or not at all, and the memory of an API process. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Caller, call } from './api.ts';
import { anInstanceAdmin } from './people.ts';

interface SlowReader {
  caller: Caller;
  project: string;
  /** 0 by default, so that nothing is read. */
  bytesPerSecond?: number;
  path?: string;
}

/** Opens a connection that requests the stream (or `path`) and reads the response slowly or not at all. */
export const aSlowReader = async (
  url: string,
  { caller, project, bytesPerSecond = 0, path = `/v3/${project}/stream?after=0` }: SlowReader,
): Promise<Socket> => {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined); // disconnected by the server
  socket.pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${caller.authorization}\r\n\r\n`);
  if (bytesPerSecond) {
    const reading = setInterval(() => socket.read(Math.min(bytesPerSecond, socket.readableLength)), 1000);
    socket.once('close', () => clearInterval(reading));
  }
  return socket;
};

const metricValue = (metrics: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]);

/** The heap and external memory of an API process in bytes, including garbage, according to its metrics. */
export const memoryBytes = async (url: string): Promise<number> => {
  const { authorization } = await anInstanceAdmin();
  const { text } = await call('GET', `${url}/metrics`, { headers: { authorization } });
  return metricValue(text, 'nodejs_heap_size_used_bytes') + metricValue(text, 'nodejs_external_memory_bytes');
};
