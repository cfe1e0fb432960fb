/** A TCP proxy that can behave like a crashed or a hung service. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Starts a proxy for `host:port` on a free port. */
export const aTcpProxy = async (target: { host: string; port: number }) => {
  const pairs = new Set<[Socket, Socket]>();
  let silent = false;
  let refuseConnections = false;
  const server = createServer((client) => {
    if (refuseConnections) return void client.destroy();
    const upstream = connect(target);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    client.on('data', (data) => void (silent || upstream.write(data)));
    upstream.on('data', (data) => void (silent || client.write(data)));
    for (const [one, other] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cutConnections = () => pairs.forEach(([client]) => client.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    /** Keeps connections open without passing any data. */
    hang: () => void (silent = true),
    /** Passes data again, on new connections; the existing ones are closed. */
    recover: () => {
      silent = false;
      cutConnections();
    },
    /** Closes connections and refuses new ones, like a service that is down, until `acceptConnections` is called. */
    shut: () => {
      refuseConnections = true;
      cutConnections();
    },
    acceptConnections: () => void (refuseConnections = false),
    close: async () => {
      cutConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
