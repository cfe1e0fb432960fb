/**
 * The external services of a benchmark, in a separate process: a site, and an embedding provider that returns the same
 * vector for every text.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const DIMENSION = 384;
const VECTOR = Buffer.from(new Float32Array(DIMENSION).fill(1 / Math.sqrt(DIMENSION)).buffer).toString('base64');
const TEXT = 'You can change the address of an order until it has left our warehouse, which we announce by email. ';

const pageOf = (path: string): string => {
  const sections = Array.from(
    { length: 8 },
    (_, part) => `<h2>Part ${part} of ${path}</h2>${`<p>${path} ${part}. ${TEXT.repeat(6)}</p>`.repeat(4)}`,
  );
  return `<html><head><title>${path}</title></head><body><nav><a href="/">Home</a></nav><main><h1>${path}</h1>${sections.join('')}</main></body></html>`;
};

const site = createServer(({ url = '/' }, response) => {
  if (url === '/robots.txt') return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(url));
});

const provider = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[] };
  const data = input.map((_, index) => ({ object: 'embedding', index, embedding: VECTOR }));
  const body = { object: 'list', model: 'instant', data, usage: { prompt_tokens: 1, total_tokens: 1 } };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

const portOf = (server: typeof site): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

process.send?.({ site: await portOf(site), provider: await portOf(provider) });
