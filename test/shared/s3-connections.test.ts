import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { openS3Storage } from '#shared/storage/s3-storage.ts';
import { aTemporaryFolder } from '../support/temporary-folder.ts';

/** A server that resets the connection of the first request, and accepts all later requests. */
const aServerThatResetsOnce = async () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    if (received.length === 1) request.socket.resetAndDestroy();
    else response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};

describe('Connections to S3', () => {
  it('a file is stored although the server resets the connection of the first attempt', async () => {
    const server = await aServerThatResetsOnce();
    const folder = await aTemporaryFolder('s3-');
    try {
      const path = join(folder, 'a.txt');
      await writeFile(path, 'content');
      const storage = openS3Storage(`s3://key:secret@bucket?endpoint=${server.url}`);
      await storage.put('uploads/a.txt', { path, size: 7, type: 'text/plain' });
      expect(server.received).to.deep.equal(['content', 'content']);
    } finally {
      server.close();
      await rm(folder, { recursive: true });
    }
  });
});
