/** The spans of traces, independent of the library that sends them. */

/** What a span describes: an incoming call, a job, or an outgoing call. */
export type SpanKindName = 'server' | 'consumer' | 'client';

/** The attributes of a span, by name. */
export type SpanAttributes = Record<string, string | number>;

/** A running span. */
export interface TraceSpan {
  /** The span as the value of a `traceparent` header. */
  traceparent: string;
  /** Sets the name and attributes that are known only at the end. */
  describe(name: string, attributes: SpanAttributes): void;
  /** Marks the span as failed. */
  fail(message?: string): void;
  end(error?: unknown): void;
}

/** A span to start. */
export interface NewSpan {
  name: string;
  kind: SpanKindName;
  /** The parent span as the value of a `traceparent` header. An invalid value is ignored. */
  parent?: string;
  attributes?: SpanAttributes;
}
