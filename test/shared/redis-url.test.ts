import { expect } from 'chai';
import { servicePorts } from '#shared/fetch/service-ports.ts';
import { isRedisUrl, parseRedisHosts } from '#shared/settings/redis-url.ts';

describe('REDIS_URL', () => {
  it('names the servers of a cluster, with default ports, IPv6 addresses and encoded credentials', () => {
    expect(parseRedisHosts('rediss+cluster://me:p%40ss@a.test,[::1]:7001')).to.deep.equal({
      kind: 'cluster',
      hosts: [
        { host: 'a.test', port: 6379 },
        { host: '::1', port: 7001 },
      ],
      ...{ isEncrypted: true, username: 'me', password: 'p@ss' },
    });
  });

  it('names the Sentinels, their master, its database and the password of the Sentinels', () => {
    expect(parseRedisHosts('redis+sentinel://:pw@a.test:26380,b.test/main/3?sentinelPassword=x%26y')).to.deep.equal({
      kind: 'sentinel',
      hosts: [
        { host: 'a.test', port: 26_380 },
        { host: 'b.test', port: 26_379 },
      ],
      ...{ isEncrypted: false, username: undefined, password: 'pw' },
      ...{ masterName: 'main', db: 3, sentinelPassword: 'x&y' },
    });
  });

  it('is invalid if it names Sentinels without a master or a cluster with a path, or if a port is not a number', () => {
    const valid = ['redis://a', 'rediss://u:p@a:1/2', 'redis+cluster://a,b:1', 'redis+sentinel://a/main'];
    const invalid = ['redis+sentinel://a', 'redis+cluster://a/main', 'redis+cluster://a:x', 'redis://a,b', 'a:6379'];
    expect([...valid, ...invalid].filter(isRedisUrl)).to.deep.equal(valid);
  });

  it('adds the ports of all its servers to the ports that are refused for pages and webhooks', () => {
    const settings = { PORT: 3000, MONGODB_URI: 'mongodb://a', REDIS_URL: 'redis+sentinel://a:26380,b/main' } as never;
    expect([...servicePorts(settings)]).to.have.members([3000, 27_017, 6379, 26_380, 26_379]);
  });
});
