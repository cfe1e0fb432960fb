import type { AddressInfo, Server } from 'node:net';

const used = new Set<number>();

const listen = (server: Server, host: string, port: number) =>
  new Promise<number>((ready, failed) => {
    server.once('error', failed).listen(port, host, () => {
      server.off('error', failed);
      ready((server.address() as AddressInfo).port);
    });
  });

/** Listens on a port no server had before in this process, since Redis remembers hosts (robots.txt, turns) by port. */
export const listenFresh = async (server: Server, { host = '127.0.0.1', port: wanted = 0 } = {}): Promise<number> => {
  const port = await listen(server, host, wanted);
  const known = used.has(port);
  used.add(port);
  if (!known || wanted) return port;
  await new Promise((closed) => server.close(closed));
  return listenFresh(server, { host });
};
