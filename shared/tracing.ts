/**
 * OpenTelemetry traces, from HTTP calls through jobs to webhook attempts. Without OTEL_EXPORTER_OTLP_ENDPOINT,
 * OpenTelemetry is not loaded, and `inSpan` only calls `work`. The trace id of a call is its correlation id without
 * dashes or, if that is not a UUID, a hash of it, so the trace of a log line can be found by its correlation id.
 */
import { config } from './config.ts';
import { withTraceparent } from './context.ts';
import type { NewSpan, TraceSpan } from './monitoring/trace-span.ts';

export type { TraceSpan };

const exporter = config.OTEL_EXPORTER_OTLP_ENDPOINT ? await import('./monitoring/span-exporter.ts') : undefined;

/** Runs `work` in a span; while tracing is off, without one. What `work` enqueues or emits belongs to the span. */
export const inSpan = <T>(newSpan: NewSpan, work: (span?: TraceSpan) => Promise<T>): Promise<T> =>
  exporter ? recordSpan(exporter.startSpan(newSpan), work) : work();

const recordSpan = <T>(span: TraceSpan, work: (span?: TraceSpan) => Promise<T>): Promise<T> =>
  withTraceparent(span.traceparent, async () => {
    try {
      const result = await work(span);
      span.end();
      return result;
    } catch (error) {
      span.end(error);
      throw error;
    }
  });

/** Sends the spans that have ended. Called when the process stops. */
export const flushSpans = async (): Promise<void> => exporter?.flushSpans();
