import { expect } from 'chai';
import * as contents from '#shared/domain/knowledge/contents.ts';
import { call } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { compareServers } from './parts/compare-servers.ts';
import { startServer } from './parts/server-process.ts';

describe('HTTP benchmark', () => {
  it('reading a small record over HTTP reaches 0.8 of the rate of a bare Koa route with the same credentials, query and bytes', async () => {
    const { project, admin } = await aProject();
    const input = { namespace: project.id, type: 'text', source: 'note', name: 'Note', content: 'A short note.' };
    const { value } = await contents.add(project.id, input);
    const [ours, bare] = await Promise.all([startServer('../../api/main.ts'), startServer('./parts/bare-api.ts')]);
    const load = {
      path: `/v3/${project.id}/kb/${String(value._id)}`,
      headers: { authorization: admin.authorization },
    };
    const [reply, bareReply] = await Promise.all(
      [ours, bare].map(({ url }) => call('GET', url + load.path, { headers: load.headers })),
    );
    expect(reply?.body).to.deep.equal(bareReply?.body);
    await compareServers('GET of one small record', { servers: { ours, bare }, load, goal: { atLeast: 0.8 } });
    ours.stop();
    bare.stop();
  });
});
