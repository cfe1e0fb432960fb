/** A way to a service that can be closed or made silent, as a crashed or a hung service would be. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and `host:port` on a free port of this host. */
export const aTcpProxy = async (target: { host: string; port: number }) => {
  const pairs = new Set<[Socket, Socket]>();
  let silent = false;
  let shut = false;
  const server = createServer((client) => {
    if (shut) return void client.destroy();
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
  const cut = () => pairs.forEach(([client]) => client.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    /** Connections stay and nothing is said any more. */
    hang: () => void (silent = true),
    /** As before; what was in the middle of a word is cut off. */
    recover: () => {
      silent = false;
      cut();
    },
    /** Nobody is let in any more, as if the service were gone; `open` ends that. */
    shut: () => {
      shut = true;
      cut();
    },
    open: () => void (shut = false),
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
};
