/** Starts spans and sends them to an OTLP collector in batches. Loaded only if OTEL_EXPORTER_OTLP_ENDPOINT is set. */
import { createHash, randomBytes } from 'node:crypto';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { config } from '../config.ts';
import { correlationId } from '../context.ts';
import { logger } from '../logger.ts';
import type { NewSpan, SpanKindName, TraceSpan } from './trace-span.ts';

const SERVICE_NAME = 'support-chat';
const TRACES_PATH = '/v1/traces';
const FLUSH_TIMEOUT_MS = 2000;
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const KINDS: Record<SpanKindName, SpanKind> = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
};

/** Returns the trace id for a correlation id: a UUID without its dashes, or the beginning of any other id's hash. */
const traceIdOf = (id: string): string => {
  const digits = id.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) ? digits : createHash('sha256').update(id).digest('hex').slice(0, 32);
};

const endpoint = (config.OTEL_EXPORTER_OTLP_ENDPOINT ?? '').replace(/\/$/, '');
const provider = new TracerProvider({
  resource: resourceFromAttributes({ 'service.name': SERVICE_NAME }),
  sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.TRACE_RATIO) }),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: endpoint + TRACES_PATH }) })],
  idGenerator: {
    generateTraceId: () => traceIdOf(correlationId() ?? randomBytes(16).toString('hex')),
    generateSpanId: () => randomBytes(8).toString('hex'),
  },
});
const tracer = provider.getTracer(SERVICE_NAME);
logger.info({ endpoint, ratio: config.TRACE_RATIO }, 'traces will be sent');

const contextOf = (parent = ''): Context => {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(parent) ?? [];
  if (!traceId || !spanId) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? '', 16),
    isRemote: true,
  });
};

export const startSpan = ({ name, kind, parent, attributes }: NewSpan): TraceSpan => {
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent));
  const { traceId, spanId, traceFlags } = span.spanContext();
  const fail = (message?: string): void => void span.setStatus({ code: SpanStatusCode.ERROR, message });
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    describe: (finalName, finalAttributes) => span.updateName(finalName).setAttributes(finalAttributes),
    fail,
    end: (error) => {
      if (error) fail((error as Error).message);
      span.end();
    },
  };
};

/** Sends the spans that have ended; gives up after two seconds. */
export const flushSpans = (): Promise<void> =>
  provider
    .forceFlush({ timeoutMillis: FLUSH_TIMEOUT_MS })
    .catch((error: Error) => logger.warn({ err: error.message }, 'traces not sent'));
