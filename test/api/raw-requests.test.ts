/** Requests that HTTP libraries do not send, written to raw sockets. A21 is an attack described in docs/attacks.md. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { anApi, api } from '../support/api.ts';
import { aProject } from '../support/people.ts';

/** Sends `request` and reads until the server closes the connection. */
const sendRaw = async (request: string): Promise<string> => {
  const { port } = new URL(await anApi());
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(Buffer.from(request, 'latin1'));
  return text(socket);
};

const END = 'Connection: close\r\n\r\n';
const LIVE = 'GET /health/live HTTP/1.1\r\nHost: a\r\n';
const POST = 'POST /v3/auth/signin HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n';
const SMUGGLED = 'GET /v3/smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

/** Malformed requests, which are refused before any handler runs. */
const REFUSED: Record<string, string> = {
  'Content-Length before Transfer-Encoding': `${POST}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'Transfer-Encoding before Content-Length': `${POST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'two Content-Length headers': `${POST}Content-Length: 0\r\nContent-Length: 44\r\n\r\n${SMUGGLED}`,
  'two values in Content-Length': `${POST}Content-Length: 0, 44\r\n\r\n${SMUGGLED}`,
  'a plus sign in Content-Length': `${POST}Content-Length: +0\r\n\r\n${SMUGGLED}`,
  'a negative Content-Length': `${POST}Content-Length: -1\r\n\r\n`,
  'a hexadecimal Content-Length': `${POST}Content-Length: 0x2\r\n\r\n{}`,
  'an unknown transfer encoding': `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'the chunked encoding before another transfer encoding': `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  'a chunk size that overflows': `${POST}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF1\r\n`,
  'a chunk size that is not a number': `${POST}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`,
  'lines that end with LF alone': 'GET /health/live HTTP/1.1\nHost: a\nConnection: close\n\n',
  'a space before the colon of a header': `${LIVE}Content-Length : 44\r\n${END}`,
  'a folded header': `${LIVE}X-A: b\r\n c\r\n${END}`,
  'a NUL in a header': `${LIVE}X-A: b\u0000c\r\n${END}`,
  'a header without a name': `${LIVE}: b\r\n${END}`,
  'a space in a path': `GET /health/live HTTP/1.1 HTTP/1.1\r\nHost: a\r\n${END}`,
  'no Host header': `GET /health/live HTTP/1.1\r\n${END}`,
  'an unknown version': `GET /health/live HTTP/7.3\r\nHost: a\r\n${END}`,
  'an unknown method': `SMUGGLE /health/live HTTP/1.1\r\nHost: a\r\n${END}`,
};

/** Unusual requests, which are served. The host that they name has no effect. */
const SERVED: Record<string, string> = {
  'an absolute URL of another host': `GET http://evil.example/health/live HTTP/1.1\r\nHost: evil.example\r\n${END}`,
  'two Host headers': `GET /health/live HTTP/1.1\r\nHost: a\r\nHost: evil.example\r\n${END}`,
  'a Host with credentials': `GET /health/live HTTP/1.1\r\nHost: a@evil.example\r\n${END}`,
  'a Host that is not an address': `GET /health/live HTTP/1.1\r\nHost: [::1\r\n${END}`,
  'an empty Host': `GET /health/live HTTP/1.1\r\nHost:\r\n${END}`,
};

describe('Raw requests', () => {
  for (const [name, request] of Object.entries(REFUSED))
    it(`A21: a request with ${name} is refused, and a request that follows it is not read`, async () => {
      const reply = await sendRaw(request);
      expect(reply).to.match(/^HTTP\/1\.1 400 /);
      expect(reply.match(/HTTP\/1\.1 /g)).to.have.lengthOf(1);
    });

  for (const [name, request] of Object.entries(SERVED))
    it(`A21: a request with ${name} is served, and the reply does not name another host`, async () => {
      expect(await sendRaw(request))
        .to.match(/^HTTP\/1\.1 200 /)
        .and.not.include('evil');
    });

  it('A21: the links in a reply depend on neither Host nor X-Forwarded-Host', async () => {
    const { project, agent } = await aProject();
    const path = `/v3/${project.id}/requests/support-group-links`;
    await api(agent).post(`${path}/messages`, { text: 'Hello' });
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const { status, text: reply } = await api(agent).get(`${path}/transcript-link`, forged);
    expect(status).to.equal(200);
    expect(reply).to.include('http').and.not.include('evil');
  });
});
