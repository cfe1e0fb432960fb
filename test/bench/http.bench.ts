import autocannon from 'autocannon';
import { expect } from 'chai';
import * as contents from '#shared/domain/knowledge/contents.ts';
import { aProject } from '../support/people.ts';
import { aServer } from './parts/a-server.ts';
import { interleaved, told } from './parts/rounds.ts';

const SECONDS = 3;

describe('reading one small record over HTTP', () => {
  it('costs at most 1 / 0.7 of a bare Koa route with the same credentials, query and bytes', async function measure() {
    this.timeout(120_000);
    const { project, admin } = await aProject();
    const input = { namespace: project.id, type: 'text', source: 'note', name: 'Note', content: 'A short note.' };
    const { value } = await contents.add(project.id, input);
    const [ours, bare] = await Promise.all([aServer('../../api/main.ts'), aServer('./parts/bare-api.ts')]);
    const rate = async (base: string) => {
      const url = `${base}/v3/${project.id}/kb/${String(value._id)}`;
      const { requests, non2xx, errors } = await autocannon({
        url,
        connections: 20,
        duration: SECONDS,
        headers: { authorization: admin.authorization },
      });
      expect(non2xx + errors).to.equal(0);
      return requests.average;
    };
    const result = await interleaved(
      4,
      () => rate(ours.url),
      () => rate(bare.url),
    );
    told('GET of one content', result);
    ours.stop();
    bare.stop();
    expect(result.ratio).to.be.at.least(0.7);
  });
});
