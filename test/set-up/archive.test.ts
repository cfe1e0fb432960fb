import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { fetchMongod } from '../../scripts/set-up/mongodb-archive.mjs';

/** Returns an archive with the layout of a MongoDB release and a text file in place of the program. */
function anArchive(folder: string): Buffer {
  mkdirSync(path.join(folder, 'mongodb', 'bin'), { recursive: true });
  writeFileSync(path.join(folder, 'mongodb', 'bin', 'mongod'), 'a program');
  execFileSync('tar', ['-czf', 'mongodb.tgz', 'mongodb'], { cwd: folder });
  return readFileSync(path.join(folder, 'mongodb.tgz'));
}

describe('MongoDB archive', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'archive-'));
  const bytes = anArchive(folder);
  const cache = path.join(folder, 'cache');
  let sum = '';
  const server = createServer(({ url }, reply) => reply.end(url?.endsWith('.sha256') ? `${sum}  mongodb.tgz` : bytes));
  const site = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('an archive with a wrong checksum is rejected and removed', async () => {
    sum = '0'.repeat(64);
    const error = await fetchMongod(cache, () => {}, site()).catch((reason: unknown) => reason);

    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('not the expected');
    expect(readdirSync(cache)).to.deep.equal([]);
  });

  it('an archive with the correct checksum is unpacked into the cache', async () => {
    sum = createHash('sha256').update(bytes).digest('hex');
    expect(readFileSync(await fetchMongod(cache, () => {}, site()), 'utf8')).to.equal('a program');
  });
});
