import { expect } from 'chai';
import { request } from 'undici';
import * as contents from '#shared/domain/knowledge/contents.ts';
import { aProject } from '../support/people.ts';
import { compareServers } from './parts/compare-servers.ts';
import { startServer } from './parts/server-process.ts';

/** Returns the headers, except those that Node and Koa add to every reply. */
const withoutConnection = ({
  date: _date,
  connection: _connection,
  'keep-alive': _keepAlive,
  'content-length': _length,
  ...headers
}: Record<string, string>) => headers;

describe('HTTP benchmark', () => {
  it('reading a small record over HTTP reaches 80% of the rate of a bare Koa route with the same credentials, query, headers and bytes', async () => {
    const { project, admin } = await aProject();
    const input = { namespace: project.id, type: 'text', source: 'note', name: 'Note', content: 'A short note.' };
    const { value } = await contents.add(project.id, input);
    const ours = await startServer('../../api/main.ts');
    const load = {
      path: `/v3/${project.id}/kb/${String(value._id)}`,
      headers: { authorization: admin.authorization },
    };
    const read = async (url: string) => {
      const { headers, body } = await request(url + load.path, { headers: load.headers });
      return { headers: withoutConnection(headers as Record<string, string>), body: await body.json() };
    };
    const reply = await read(ours.url);
    const bare = await startServer('./parts/bare-api.ts', { REPLY_HEADERS: JSON.stringify(reply.headers) });
    expect(await read(bare.url)).to.deep.equal(reply);
    const sides = { ours: { server: ours, load }, bare: { server: bare, load } };
    await compareServers('GET of one small record', sides, { atLeast: 0.8 });
    ours.stop();
    bare.stop();
  });
});
