/** A test that runs until it is stopped; shutdown.test.ts starts and stops it. */
import { once } from 'node:events';
import { createServer } from 'node:net';

describe('Long-running example', () => {
  it('runs until it is stopped', async () => {
    console.log('runs until it is stopped');
    await once(createServer().listen(0), 'close');
  }).timeout(0);
});
