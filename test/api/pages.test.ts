import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { anApi, api } from '../support/api.ts';
import { aBrowser, visit } from '../support/browser.ts';
import { notRun } from '../support/not-run.ts';
import { anOperator, aProject, PASSWORD, type Person } from '../support/people.ts';

const OPERATORS_ONLY = ['/admin/queues', '/admin/queues/api/queues', '/metrics'];

describe('Pages for operators', () => {
  it('ask nobody who it is, and refuse everybody else, a project owner included (decision 53)', async () => {
    const { owner, guest } = await aProject();
    for (const path of OPERATORS_ONLY) {
      const nobody = await api().get(path);
      expect(nobody.status).to.equal(401);
      expect(nobody.headers['www-authenticate']).to.match(/^Basic /);
      for (const caller of [owner, guest]) expect((await api(caller).get(path)).status).to.equal(403);
    }
  });

  it('show the queues and the numbers of the process', async () => {
    const operator = await anOperator();
    const { body } = await api(operator).get('/admin/queues/api/queues');
    expect(body.queues.map(({ name }: { name: string }) => name)).to.include('kb');
    const { text } = await api(operator).get('/metrics');
    expect(text).to.include('http_request_duration_seconds_bucket').and.include('process_cpu_seconds_total');
  });

  it('take no orders that another site makes a browser send', async () => {
    const operator = await anOperator();
    const reply = await api(operator).put('/admin/queues/api/queues/kb/pause', undefined, {
      'sec-fetch-site': 'cross-site',
    });
    expect(reply).to.deep.include({ status: 403 });
    expect(reply.body.code).to.equal('CROSS_SITE');
  });
});

describe('Health', () => {
  it('says that the process lives, and what each part does', async () => {
    expect((await api().get('/health/live')).body).to.deep.equal({ status: 'ok' });
    const { status, body } = await api().get('/health/ready');
    expect({ status, down: body.down }).to.deep.equal({ status: 200, down: [] });
    expect(Object.keys(body.parts)).to.have.members(['mongodb', 'redis', 'queues', 'vectors', 'embedding']);
    expect(body.parts.vectors.name).to.be.oneOf(['lancedb', 'qdrant']);
  });
});

describe('The OpenAPI document', () => {
  it('is valid, and describes every parameter and every reply', async () => {
    const { body } = await api().get('/v3/openapi.json');
    const { valid, errors } = await new Validator().validate(structuredClone(body));
    expect(valid, JSON.stringify(errors)).to.equal(true);
    const operations = Object.values(body.paths).flatMap((path) =>
      Object.values(path as Record<string, Record<string, unknown>>),
    );
    const parameters = operations.flatMap(
      ({ parameters }) => parameters as { name: string; description?: string; schema: { description?: string } }[],
    );
    expect(
      parameters.filter(({ description, schema }) => !description && !schema.description).map(({ name }) => name),
    ).to.deep.equal([]);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(operations.length);
    expect(
      operations.every(({ summary, responses }) => summary && (responses as Record<string, object>)[200]),
    ).to.equal(true);
  });
});

describe('In a browser', () => {
  let browser: Browser;
  let operator: Person;

  before(async function () {
    this.timeout(30_000);
    const started = await aBrowser();
    if (typeof started === 'string') return notRun(this, `no Chromium starts here: ${started}`);
    browser = started;
    operator = await anOperator();
  });

  after(() => browser?.close());

  for (const [path, selector, text] of [
    ['/', '.status li.ok b', 'Database'],
    ['/docs', '.opblock-summary-path', '/v3/auth/signup'],
    ['/admin/queues', 'a[href*="/queue/kb"]', 'kb'],
  ] as const) {
    it(`${path} renders with no complaint, and calls nobody else`, async function () {
      this.timeout(20_000);
      const credentials = { username: operator.email, password: PASSWORD };
      const shown = await visit(browser, (await anApi()) + path, path.startsWith('/admin') ? credentials : undefined);
      await shown.page.waitForSelector(selector);
      const texts = await shown.page.locator(selector).allInnerTexts();
      await shown.close();
      expect(texts.map((each) => each.replaceAll('\u200b', '').trim())).to.include(text);
      expect(shown.complaints).to.deep.equal([]);
      expect(shown.strangers).to.deep.equal([]);
    });
  }
});
