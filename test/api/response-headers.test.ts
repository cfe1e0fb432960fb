import { expect } from 'chai';
import { request } from 'undici';
import { anApi, api } from '../support/api.ts';
import { aPerson } from '../support/people.ts';

const COMMON_HEADERS = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'content-length',
  'content-security-policy',
  'content-type',
  'vary',
  'x-content-type-options',
  'x-request-id',
];

describe('Response headers', () => {
  it('the common headers are sent with a list, an error and a health check', async () => {
    const person = await aPerson();
    for (const [path, status] of Object.entries({ '/v3/projects': 200, '/v3/nothing': 404, '/health/live': 200 })) {
      const reply = await api(person).get(path);
      expect(reply.status).to.equal(status);
      expect(reply.headers, path).to.include.all.keys(COMMON_HEADERS);
      expect(reply.headers['content-length']).to.equal(String(Buffer.byteLength(reply.text)));
    }
  });

  it('a list is sent with the rate limit headers', async () => {
    const { headers } = await api(await aPerson()).get('/v3/projects');
    expect(headers).to.include.all.keys('ratelimit', 'ratelimit-policy', 'x-ratelimit-remaining');
    expect(headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
    });
  });

  it('a HEAD request returns the headers of the response to a GET request, including content-length, but no body', async () => {
    const { authorization } = await aPerson();
    const requestProjects = async (method: 'GET' | 'HEAD') => {
      const reply = await request(`${await anApi()}/v3/projects`, { method, headers: { authorization } });
      return { ...reply, text: await reply.body.text() };
    };
    const [getReply, headReply] = [await requestProjects('GET'), await requestProjects('HEAD')];
    expect(getReply.text).to.equal('[]');
    expect(headReply).to.deep.include({ statusCode: 200, text: '' });
    expect(headReply.headers).to.include.all.keys(COMMON_HEADERS);
    expect(headReply.headers['content-length']).to.equal('2');
  });
});
