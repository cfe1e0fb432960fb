/** A server that accepts POST requests, and reports when it has received as many as it was told to expect. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let [received, expected] = [0, 0];

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200).end();
    received += 1;
    if (received === expected) process.send?.({ received });
  });
}).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (count: number) => {
  [received, expected] = [0, count];
});
