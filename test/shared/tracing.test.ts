import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { inSpan } from '#shared/tracing.ts';
import { hex } from '../support/chunk-rows.ts';
import { listenOnUnusedPort } from '../support/unused-port.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** The code 2 means an error. */
  status: { code: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

interface Batch {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

/** Starts a collector of spans, and returns its URL and the spans that it has received. */
const aCollector = async () => {
  const spans: Span[] = [];
  const server = createServer(async (incoming, response) => {
    const { resourceSpans } = (await json(incoming)) as Batch;
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const port = await listenOnUnusedPort(server);
  return { spans, url: `http://127.0.0.1:${port}`, close: () => server.close() };
};

describe('Tracing', () => {
  it('a trace leads from an HTTP call to its jobs and to the webhook attempts for its events, and contains only methods, routes, statuses, ids, event names, hosts and reasons for failures', async () => {
    const collector = await aCollector();
    const [correlationId, caller] = [randomUUID(), { traceId: hex(32), spanId: hex(16) }];
    const models = { EMBEDDING_MODEL_FILE: 'off', INTENT_ENCODER: 'off' };
    const env = { ...process.env, ...models, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, QUEUE_PREFIX: hex(8) };
    const program = new URL('../support/traced-process.ts', import.meta.url).pathname;
    const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
    await promisify(execFile)(process.execPath, [program, correlationId, traceparent], { env });
    collector.close();
    const inTrace = (id: string) => collector.spans.filter(({ traceId }) => traceId === id);

    const spans = inTrace(correlationId.replaceAll('-', ''));
    const http = spans.find(({ name }) => name === 'POST /v3/:project_id/requests/:request_id/messages');
    const webhook = spans.find(({ name }) => name === 'webhook message.create');
    expect(http).to.not.have.property('parentSpanId');
    expect(http?.attributes).to.deep.include({ key: 'http.response.status_code', value: { intValue: 200 } });
    expect(webhook?.parentSpanId).to.equal(http?.spanId);
    expect(webhook?.attributes).to.deep.include({ key: 'webhook.event', value: { stringValue: 'message.create' } });

    const ofCaller = inTrace(caller.traceId);
    const add = ofCaller.find(({ name }) => name === 'POST /v3/:project_id/kb');
    const job = ofCaller.find(({ name }) => name === 'job kb.index-contents');
    expect(add?.parentSpanId).to.equal(caller.spanId);
    expect(job?.parentSpanId).to.equal(add?.spanId);

    const failed = ofCaller.find(({ name }) => name === 'POST /v3/:project_id/kb/qa');
    expect(failed?.attributes).to.deep.include({ key: 'http.response.status_code', value: { intValue: 503 } });
    expect([http, webhook, add, failed].map((span) => span?.status.code)).to.deep.equal([0, 0, 0, 2]);
    const keys = new Set(collector.spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)));
    const httpKeys = ['http.request.method', 'http.route', 'http.response.status_code'];
    const webhookKeys = ['webhook.id', 'webhook.event', 'server.address', 'error.message'];
    expect([...httpKeys, ...webhookKeys]).to.include.members([...keys]);
  });

  it('without a collector, a span only runs its work, and no part of the tracing SDK is loaded', async () => {
    expect(await inSpan({ name: 'a', kind: 'server' }, async (span) => [span?.traceparent, 1])).to.deep.equal([
      undefined,
      1,
    ]);
    const session = new Session();
    session.connect();
    const urls: string[] = [];
    session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url));
    await session.post('Debugger.enable');
    session.disconnect();
    expect(urls.some((url) => url.endsWith('shared/tracing.ts'))).to.equal(true);
    expect(urls.filter((url) => /@opentelemetry\/(sdk-trace|exporter|otlp)/.test(url))).to.deep.equal([]);
  });
});
