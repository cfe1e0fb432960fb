import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { freePort, tryPort } from '../../scripts/set-up/ports.mjs';

describe('Port selection', () => {
  it('freePort skips a port in use, and returns any free port when port 0 is requested', async () => {
    const taken = createServer().listen(await freePort(0), '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;

    expect(await tryPort(port)).to.equal(undefined);
    expect(await freePort(port)).to.be.greaterThan(port);
    taken.close();
    await once(taken, 'close');
    expect(await freePort(port)).to.equal(port);
  });
});
