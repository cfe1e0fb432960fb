/** Headers, CORS, cookies and cross-site requests: what a browser may do with the API and with its pages. */
import { expect } from 'chai';
import { QUEUE_NAMES } from '#shared/jobs.ts';
import { anApi, api, type Caller, call } from '../support/api.ts';
import { theLimitedApi } from '../support/api-process.ts';
import { anInstanceAdmin, aProject } from '../support/people.ts';
import { UNKNOWN_ID } from '../support/valid-call.ts';

type Directives = Record<string, string[]>;

const directivesOf = (policy: unknown): Directives =>
  Object.fromEntries(
    String(policy)
      .split(';')
      .map((part) => [part.trim().split(' ')[0], part.trim().split(' ').slice(1)]),
  );

/** Headers of every response, whatever its status. */
const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'access-control-allow-origin': '*',
};

/** Headers that no response has: they set cookies, let other sites read replies to a user's calls, or name software. */
const ABSENT_HEADERS = ['set-cookie', 'access-control-allow-credentials', 'x-powered-by', 'server'];

/** The pages that show every project's data. */
const ADMIN_PAGES = ['/admin/fleet', '/admin/queues', '/admin/queues/api/queues', '/metrics'];

const DASHBOARD = `/v3/${UNKNOWN_ID}/dashboard`;
const PAGES = ['/', '/docs', DASHBOARD, '/demo', '/account', '/health/live', '/v3/openapi.json', '/assets/landing.css'];

describe('Browsers', () => {
  let own: Awaited<ReturnType<typeof aProject>>;
  let administrator: Caller;

  before(async () => {
    [own, administrator] = await Promise.all([aProject(), anInstanceAdmin()]);
  });

  const rows = (): [string, number, Caller | undefined][] => [
    ...PAGES.map((path): [string, number, undefined] => [path, 200, undefined]),
    ...ADMIN_PAGES.map((path): [string, number, Caller] => [path, 200, administrator]),
    ...ADMIN_PAGES.map((path): [string, number, undefined] => [path, 401, undefined]),
    ...ADMIN_PAGES.map((path): [string, number, Caller] => [path, 403, own.owner]),
    [`/v3/${own.project.id}/requests`, 200, own.agent],
    [`/v3/${own.project.id}/requests`, 401, undefined],
    [`/v3/${own.project.id}/requests`, 403, own.guest],
    [`/v3/${own.project.id}/requests?limit=x`, 422, own.agent],
    [`/v3/${own.project.id}/nothing`, 404, own.agent],
    ['/nothing', 404, undefined],
  ];

  it('every response has the security headers, sets no cookie, and allows scripts from its own host only', async () => {
    for (const [path, status, caller] of rows()) {
      const { headers, ...reply } = await api(caller).get(path);
      expect(reply.status, path).to.equal(status);
      expect(headers, path).to.include(COMMON_HEADERS).and.not.have.any.keys(ABSENT_HEADERS);
      const directives = directivesOf(headers['content-security-policy']);
      expect(directives, path).to.deep.include({
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'frame-ancestors': ["'none'"],
        'form-action': ["'self'"],
      });
      expect(headers['cache-control'] ?? 'no-store', path).to.match(
        ADMIN_PAGES.includes(path) ? /no-store|no-cache/ : /no-cache|no-store|max-age/,
      );
    }
  });

  it('the response to a CORS preflight request allows every origin and no credentials, on the API and on the pages', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' };
    for (const path of [`/v3/${own.project.id}/requests`, ...ADMIN_PAGES, '/nothing']) {
      const reply = await api().options(path, headers);
      expect(reply.headers['access-control-allow-origin'], path).to.equal('*');
      expect(reply.headers, path).to.not.have.any.keys(ABSENT_HEADERS);
    }
  });

  it('a cookie is not accepted as a credential', async () => {
    const token = own.owner.authorization.slice(4);
    for (const cookie of [`token=${token}`, `authorization=JWT ${token}`, `connect.sid=${token}; jwt=${token}`]) {
      for (const path of [`/v3/${own.project.id}/requests`, ...ADMIN_PAGES])
        expect((await call('GET', (await anApi()) + path, { headers: { cookie } })).status, path).to.equal(401);
    }
  });
});

describe('Cross-site requests to the queue board', () => {
  const [queue] = QUEUE_NAMES;

  /** The headers that a browser adds, and the expected status. `own` stands for the host of the board. */
  const CASES: [string, Record<string, string>, number][] = [
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['another site over plain HTTP without Sec-Fetch-Site', { origin: 'http://evil.example' }, 403],
    ['another site whose name begins with this host', { origin: 'http://127.0.0.1.evil.example' }, 403],
    ['another port of this host', { origin: 'http://127.0.0.1:9' }, 403],
    ['another subdomain', { origin: 'own', 'sec-fetch-site': 'same-site' }, 403],
    ['a sandboxed iframe or after a redirect', { origin: 'null' }, 403],
    ['a form without an Origin header', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a malformed origin', { origin: 'evil' }, 403],
    ['the board itself', { origin: 'own', 'sec-fetch-site': 'same-origin' }, 200],
    ['a program', {}, 200],
  ];

  for (const [name, headers, status] of CASES)
    it(`a request to change a queue returns ${status} if it comes from ${name}`, async () => {
      const [{ url }, { authorization }] = await Promise.all([theLimitedApi(), anInstanceAdmin()]);
      const origin: Record<string, string> = headers.origin === 'own' ? { origin: new URL(url).origin } : {};
      const reply = await call('PUT', `${url}/admin/queues/api/queues/${queue}/resume`, {
        headers: { authorization, ...headers, ...origin },
      });
      expect(reply.status, reply.text).to.equal(status);
      if (status === 403) expect(reply.body.code).to.equal('CROSS_SITE_REQUEST');
    });

  it('the fleet page, the metrics and the other pages accept no changes at all', async () => {
    const administrator = await anInstanceAdmin();
    for (const path of ['/admin/fleet', '/metrics', DASHBOARD, '/docs', '/account'])
      for (const method of ['POST', 'PUT', 'DELETE'] as const)
        expect((await api(administrator).call(method, path)).status, `${method} ${path}`).to.equal(405);
  });
});
