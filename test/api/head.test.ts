import { expect } from 'chai';
import { request } from 'undici';
import { anApi, api } from '../support/api.ts';
import { aPerson } from '../support/people.ts';

const HEAD_OF_ALL = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'content-length',
  'content-security-policy',
  'content-type',
  'vary',
  'x-content-type-options',
  'x-request-id',
];

describe('The head of an answer', () => {
  it('is the same for a record, an error and a page', async () => {
    const person = await aPerson();
    for (const [path, status] of Object.entries({ '/v3/projects': 200, '/v3/nothing': 404, '/health/live': 200 })) {
      const reply = await api(person).get(path);
      expect(reply.status).to.equal(status);
      expect(reply.headers, path).to.include.all.keys(HEAD_OF_ALL);
      expect(reply.headers['content-length']).to.equal(String(Buffer.byteLength(reply.text)));
    }
  });

  it('tells how much is left of the limit with every record', async () => {
    const { headers } = await api(await aPerson()).get('/v3/projects');
    expect(headers).to.include.all.keys('ratelimit', 'ratelimit-policy', 'x-ratelimit-remaining');
    expect(headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
    });
  });

  it('comes alone where only the head is asked for, with the length of what is kept back', async () => {
    const { authorization } = await aPerson();
    const ask = async (method: 'GET' | 'HEAD') => {
      const reply = await request(`${await anApi()}/v3/projects`, { method, headers: { authorization } });
      return { ...reply, text: await reply.body.text() };
    };
    const [whole, head] = [await ask('GET'), await ask('HEAD')];
    expect(whole.text).to.equal('[]');
    expect(head).to.deep.include({ statusCode: 200, text: '' });
    expect(head.headers).to.include.all.keys(HEAD_OF_ALL);
    expect(head.headers['content-length']).to.equal('2');
  });
});
