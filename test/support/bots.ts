/** Bots of a project with their tokens, and the server of an external bot. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueBotToken } from '#shared/domain/access/sessions.ts';
import { Bot } from '#shared/models/bot.ts';
import type { Caller } from './api.ts';
import { onSuiteEnd } from './suite-cleanup.ts';
import { withToken } from './tokens.ts';
import { listenOnUnusedPort } from './unused-port.ts';

/** A bot of the project. */
export const aBot = async (project: string, more: { type?: string; url?: string } = {}): Promise<Caller> => {
  const [bot] = await Bot.create([{ id_project: project, name: 'Robbie', createdBy: 'test', ...more }]);
  const id = String(bot?._id);
  return withToken(await issueBotToken(project, id), id);
};

/** A call that a bot's server received. */
export interface BotServerCall {
  method: string;
  headers: IncomingHttpHeaders;
  body: ReturnType<typeof JSON.parse>;
}

interface BotServerOptions {
  /** Whether the server also records the `\start` messages of the system; otherwise it only accepts them. */
  recordsStarts?: boolean;
  onCall?: (call: BotServerCall) => void;
  delayMs?: number;
}

/**
 * The server of an external bot. It records the calls that it receives and responds with the next of `answers`, or with
 * 200 if none is left. `concurrency` counts unanswered calls: the current number and the maximum so far. `connections`
 * counts TCP connections.
 */
export const aBotServer = async ({ recordsStarts, onCall, delayMs = 0 }: BotServerOptions = {}) => {
  const calls: BotServerCall[] = [];
  let released = Promise.resolve();
  const concurrency = { current: 0, max: 0 };
  const connections = { count: 0 };
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request;
    const call = { method, headers, body: JSON.parse((await text(request)) || 'null') };
    if (call.body?.payload?.text === '\\start' && call.body.payload.sender === 'system' && !recordsStarts) {
      response.writeHead(200).end();
      return;
    }
    calls.push(call);
    onCall?.(call);
    concurrency.current += 1;
    concurrency.max = Math.max(concurrency.max, concurrency.current);
    await released;
    if (delayMs) await sleep(delayMs);
    concurrency.current -= 1;
    const { status, headers: more } = answers.shift() ?? { status: 200 };
    response.writeHead(status, more).end('thank you');
  });
  server.on('connection', () => (connections.count += 1));
  const url = `http://127.0.0.1:${await listenOnUnusedPort(server)}/hook`;
  onSuiteEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  /** Delays all responses until the returned function is called. */
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    released = promise;
    return resolve;
  };
  return { url, calls, answers, concurrency, connections, hold };
};
