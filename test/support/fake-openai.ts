/**
 * A provider that speaks the OpenAI protocol, on the loopback address. Its answers are deterministic, and it fails on
 * demand.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { wordVector } from './word-vectors.ts';

/** What goes wrong with one call: an error, a delay, no response, half a response, or a very slow response. */
export interface Fault {
  status?: number;
  /** Seconds, sent in the `Retry-After` header. */
  retryAfter?: number;
  delayMs?: number;
  /** `start`: nothing is ever sent; `middle`: silence after the first half. */
  hang?: 'start' | 'middle';
  /** The connection is cut after this share of the body, 0 to 1. */
  cutAfter?: number;
  /** Pause after every single byte, in milliseconds. */
  slowBytes?: number;
  /** Sent in place of the body. */
  body?: string;
}

/** A call that the provider received. */
export interface ProviderCall {
  path: string;
  authorization: string | undefined;
  body: {
    model?: string;
    input?: string | string[];
    messages?: { role: string; content: string }[];
    documents?: string[];
    stream?: boolean;
    encoding_format?: string;
    [name: string]: unknown;
  };
}

export interface ProviderOptions {
  dimension?: number;
  /** The text of a completion; by default it repeats the last question. */
  answer?: (messages: { role: string; content: string }[]) => string;
  /** How relevant a document is, from 0 to 1, for calls to `/rerank`; by default 0. */
  relevance?: (document: string) => number;
  /** Returns the fault of a call for which no fault is scripted; it may depend on the texts of the call. */
  faultOf?: (call: ProviderCall) => Fault | undefined;
}

const words = (text: string) => text.split(/(?<=\s)/);
const tokens = (text: string) => text.split(/\s+/).filter(Boolean).length;
const json = (value: unknown) => ({ type: 'application/json', body: JSON.stringify(value) });

const base64 = (vector: number[]) => Buffer.from(Float32Array.from(vector).buffer).toString('base64');

const embeddings = ({ body }: ProviderCall, dimension: number) => {
  const input = [body.input ?? []].flat();
  const encode = body.encoding_format === 'base64' ? base64 : (vector: number[]) => vector;
  const data = input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: encode(wordVector(text, dimension)),
  }));
  const total_tokens = input.reduce((sum, text) => sum + tokens(text), 0);
  return json({ object: 'list', model: body.model, data, usage: { prompt_tokens: total_tokens, total_tokens } });
};

const reranking = ({ body: { documents = [] } }: ProviderCall, relevance: (document: string) => number) => {
  const results = documents.map((document, index) => ({ index, relevance_score: relevance(document) }));
  const total_tokens = documents.reduce((sum, document) => sum + tokens(document), 0);
  return json({ results: results.toSorted((a, b) => b.relevance_score - a.relevance_score), usage: { total_tokens } });
};

const usageOf = (call: ProviderCall, text: string) => {
  const prompt_tokens = tokens((call.body.messages ?? []).map(({ content }) => content).join(' '));
  return { prompt_tokens, completion_tokens: tokens(text), total_tokens: prompt_tokens + tokens(text) };
};

const completion = (call: ProviderCall, text: string) => {
  const message = { role: 'assistant', content: text };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return json({ id: 'c', object: 'chat.completion', model: call.body.model, choices, usage: usageOf(call, text) });
};

const streamedCompletion = (call: ProviderCall, text: string) => {
  const chunk = (more: object) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    model: call.body.model,
    choices: [],
    ...more,
  });
  const piece = (delta: object, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason }] });
  const chunks = [
    ...words(text).map((content) => piece({ content })),
    piece({}, 'stop'),
    chunk({ usage: usageOf(call, text) }),
  ];
  const lines = [...chunks.map((item) => JSON.stringify(item)), '[DONE]'].map((data) => `data: ${data}\n\n`);
  return { type: 'text/event-stream', body: lines.join('') };
};

const lastQuestion = (messages: { content: string }[]) => `You asked: ${messages.at(-1)?.content ?? ''}`;

const responseTo = (
  call: ProviderCall,
  { dimension = 64, answer = lastQuestion, relevance = () => 0 }: ProviderOptions,
) => {
  if (call.path.endsWith('/embeddings')) return embeddings(call, dimension);
  if (call.path.endsWith('/rerank')) return reranking(call, relevance);
  if (call.path.endsWith('/models')) return json({ object: 'list', data: [{ id: 'fake', object: 'model' }] });
  const text = answer(call.body.messages ?? []);
  return call.body.stream ? streamedCompletion(call, text) : completion(call, text);
};

const trickle = async (response: ServerResponse, bytes: Buffer, pauseMs: number) => {
  for (const byte of bytes) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await sleep(pauseMs, undefined, { ref: false });
  }
  response.end();
};

const send = async (response: ServerResponse, { type, body }: { type: string; body: string }, fault: Fault) => {
  const bytes = Buffer.from(fault.body ?? body);
  response.writeHead(200, { 'content-type': type });
  const part = fault.hang === 'middle' ? 0.5 : fault.cutAfter;
  if (fault.slowBytes !== undefined) return trickle(response, bytes, fault.slowBytes);
  if (part === undefined) return response.end(bytes);
  response.flushHeaders();
  response.write(bytes.subarray(0, bytes.length * part), () => fault.cutAfter !== undefined && response.destroy());
};

const sendError = (response: ServerResponse, { status = 500, retryAfter, body }: Fault) => {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  });
  response.end(body ?? JSON.stringify({ error: { message: `scripted ${status}`, type: 'scripted', code: null } }));
};

const readBody = async (request: IncomingMessage): Promise<ProviderCall> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return { path: request.url ?? '', authorization: request.headers.authorization, body: text ? JSON.parse(text) : {} };
};

/** Starts a provider; the test must close it. */
export const aProvider = async (options: ProviderOptions = {}) => {
  const calls: ProviderCall[] = [];
  const script: Fault[] = [];
  const sockets = new Set<Socket>();
  const seen = { open: 0, aborted: 0 };

  const respond = async (call: ProviderCall, response: ServerResponse) => {
    const fault = script.shift() ?? options.faultOf?.(call) ?? {};
    if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
    if (fault.hang === 'start') return;
    if (fault.status !== undefined) sendError(response, fault);
    else await send(response, responseTo(call, options), fault);
  };

  const server = createServer(async (request, response) => {
    seen.open += 1;
    response.on('close', () => {
      seen.open -= 1;
      if (!response.writableFinished) seen.aborted += 1;
    });
    const call = await readBody(request);
    calls.push(call);
    await respond(call, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    /** All texts that were sent for embedding, including those of repeated calls. */
    embeddedTexts: () =>
      calls.filter(({ path }) => path.endsWith('/embeddings')).flatMap(({ body }) => body.input ?? []),
    openSockets: () => sockets.size,
    /** The number of calls whose client is still waiting. */
    openCalls: () => seen.open,
    /** The number of calls whose response was aborted by either side. */
    aborted: () => seen.aborted,
    /** Adds faults for the next calls, in order. Later calls have the fault that `faultOf` returns, if any. */
    script: (...faults: Fault[]) => void script.push(...faults),
    close: async () => {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
};
