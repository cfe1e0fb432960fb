import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { anInstanceAdmin, aProject } from '../support/people.ts';

const ADMIN_ONLY_PATHS = ['/admin/queues', '/admin/queues/api/queues', '/metrics'];

describe('Pages for instance administrators', () => {
  it('the administrator pages require credentials (401) and refuse project owners and visitors (403)', async () => {
    const { owner, guest } = await aProject();
    for (const path of ADMIN_ONLY_PATHS) {
      const anonymous = await api().get(path);
      expect(anonymous.status).to.equal(401);
      expect(anonymous.headers['www-authenticate']).to.match(/^Basic /);
      for (const caller of [owner, guest]) expect((await api(caller).get(path)).status).to.equal(403);
    }
  });

  it('the administrator pages show the queues and the metrics of the process', async () => {
    const administrator = await anInstanceAdmin();
    const { body } = await api(administrator).get('/admin/queues/api/queues');
    expect(body.queues.map(({ name }: { name: string }) => name)).to.include('kb');
    const { text } = await api(administrator).get('/metrics');
    expect(text).to.include('http_request_duration_seconds_bucket').and.include('process_cpu_seconds_total');
  });

  it('the queue board refuses changes from another site (403)', async () => {
    const administrator = await anInstanceAdmin();
    const reply = await api(administrator).put('/admin/queues/api/queues/kb/pause', undefined, {
      'sec-fetch-site': 'cross-site',
    });
    expect(reply).to.deep.include({ status: 403 });
    expect(reply.body.code).to.equal('CROSS_SITE_REQUEST');
  });
});

describe('Health endpoints', () => {
  it('the health endpoints report that the process is alive and the state of each part', async () => {
    expect((await api().get('/health/live')).body).to.deep.equal({ status: 'ok' });
    const { status, body } = await api().get('/health/ready');
    expect({ status, down: body.down }).to.deep.equal({ status: 200, down: [] });
    expect(Object.keys(body.parts)).to.have.members(['mongodb', 'redis', 'queues', 'vectors', 'embedding']);
    expect(body.parts.vectors.name).to.be.oneOf(['lancedb', 'qdrant']);
  });
});

describe('OpenAPI document', () => {
  it('the OpenAPI document is valid and describes every parameter and every reply', async () => {
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
      operations.every(({ summary, responses }) => summary && /"20[01]":/.test(JSON.stringify(responses))),
    ).to.equal(true);
  });
});
