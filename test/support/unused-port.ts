import type { AddressInfo, Server } from 'node:net';

const usedPorts = new Set<number>();

const listen = (server: Server, host: string, port: number) =>
  new Promise<number>((ready, failed) => {
    server.once('error', failed).listen(port, host, () => {
      server.off('error', failed);
      ready((server.address() as AddressInfo).port);
    });
  });

/**
 * Listens on a port that no other server of this process has used, since Redis keeps data for each host and port
 * (robots.txt, and when the crawler may next request a page).
 */
export const listenOnUnusedPort = async (
  server: Server,
  { host = '127.0.0.1', port: wanted = 0 } = {},
): Promise<number> => {
  const port = await listen(server, host, wanted);
  const known = usedPorts.has(port);
  usedPorts.add(port);
  if (!known || wanted) return port;
  await new Promise((closed) => server.close(closed));
  return listenOnUnusedPort(server, { host });
};
