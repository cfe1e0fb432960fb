import autocannon from 'autocannon';
import { expect } from 'chai';
import * as contents from '#shared/domain/knowledge/contents.ts';
import { aProject } from '../support/people.ts';
import { printRates, runInterleaved } from './parts/interleaved-rounds.ts';
import { startServer } from './parts/server-process.ts';

const SECONDS = 3;

describe('HTTP benchmark', () => {
  it('reading a small record over HTTP reaches 0.7 of the rate of a bare Koa route with the same credentials, query and bytes', async function measure() {
    this.timeout(120_000);
    const { project, admin } = await aProject();
    const input = { namespace: project.id, type: 'text', source: 'note', name: 'Note', content: 'A short note.' };
    const { value } = await contents.add(project.id, input);
    const [ours, bare] = await Promise.all([startServer('../../api/main.ts'), startServer('./parts/bare-api.ts')]);
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
    const result = await runInterleaved(
      4,
      () => rate(ours.url),
      () => rate(bare.url),
    );
    printRates('GET of one content', result);
    ours.stop();
    bare.stop();
    expect(result.ratio).to.be.at.least(0.7);
  });
});
