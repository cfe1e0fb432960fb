/** Connections of uploads that are refused before all of their bytes have been read. */
import { expect } from 'chai';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import { receiveInTime } from '../../api/http/request/upload-time.ts';
import { listenOnUnusedPort } from '../support/unused-port.ts';

/** Longer than the server waits for the rest of a refused upload. */
const LATER_MS = 5500;

describe('The connection of a refused upload', function () {
  this.timeout(20_000);

  it('stays open for later calls if the whole upload has arrived before the response', async () => {
    const server = createServer(async (req, res) => {
      if (req.method === 'GET') return void res.end('later');
      const refused = receiveInTime({ req, res } as Context, () => Promise.reject(new Error('refused')));
      await Promise.all([refused.catch(() => undefined), once(req, 'close')]);
      res.end('refused');
    });
    server.keepAliveTimeout = 60_000;
    const port = await listenOnUnusedPort(server);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (method: string) => {
      const sent = request({ port, agent, method });
      sent.end(method === 'POST' ? 'x'.repeat(100_000) : undefined);
      const [response] = await once(sent, 'response');
      return { answer: await text(response), socket: sent.socket };
    };
    try {
      const first = await send('POST');
      expect(first.answer).to.equal('refused');
      await sleep(LATER_MS);
      const second = await send('GET');
      expect(second.answer).to.equal('later');
      expect(second.socket, 'the same connection').to.equal(first.socket);
    } finally {
      agent.destroy();
      server.close();
    }
  });
});
