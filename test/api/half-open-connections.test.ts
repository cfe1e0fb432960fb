/** Connections that never send a complete request. F16 is a failure described in docs/failures.md. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { anApi, api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';

const CONNECTIONS = 50;
const WRITE_INTERVAL_MS = 1000;

/** Sends a header line each second and never ends the headers. Returns how long the connection stayed open, in ms. */
const aSlowHeader = async (): Promise<number> => {
  const socket = connect(Number(new URL(await anApi()).port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  const opened = performance.now();
  socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n');
  const timer = setInterval(() => socket.writable && socket.write('X-Slow: 1\r\n'), WRITE_INTERVAL_MS);
  await once(socket, 'close');
  clearInterval(timer);
  return performance.now() - opened;
};

describe('Half-open connections', function slow() {
  this.timeout(60_000);

  it(`F16: ${CONNECTIONS} connections that never end their headers are closed, and other calls are answered meanwhile`, async () => {
    const closed = Promise.all(times(CONNECTIONS, aSlowHeader));
    expect((await api().get('/health/live')).status).to.equal(200);
    const openMs = await closed;
    expect(Math.min(...openMs)).to.be.at.least(9000);
    // The API allows 10 s for the headers, and checks this every 2 s. The rest of the 25 s allows for a loaded machine.
    expect(Math.max(...openMs)).to.be.below(25_000);
    expect((await api().get('/health/live')).status).to.equal(200);
  });
});
