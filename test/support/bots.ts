/** Bots to test with: records of the project, each with its own token. */
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

/** One call as a bot's server got it. */
export interface BotServerCall {
  method: string;
  headers: IncomingHttpHeaders;
  body: ReturnType<typeof JSON.parse>;
}

/** What a bot's server does in addition to recording its calls. */
interface BotServerOptions {
  onCall?: (call: BotServerCall) => void;
  delayMs?: number;
}

/**
 * The server of an external bot. It records its calls and responds with the next of `answers`, else 200; not while
 * `hold()` lasts.
 */
export const aBotServer = async ({ onCall, delayMs = 0 }: BotServerOptions = {}) => {
  const calls: BotServerCall[] = [];
  let released = Promise.resolve();
  const open = { now: 0, most: 0 };
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request;
    const call = { method, headers, body: JSON.parse((await text(request)) || 'null') };
    calls.push(call);
    onCall?.(call);
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    await released;
    if (delayMs) await sleep(delayMs);
    open.now -= 1;
    const { status, headers: more } = answers.shift() ?? { status: 200 };
    response.writeHead(status, more).end('thank you');
  });
  const url = `http://127.0.0.1:${await listenOnUnusedPort(server)}/hook`;
  onSuiteEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  /** Lets every call wait until the returned function is called. */
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    released = promise;
    return resolve;
  };
  return { url, calls, answers, open, hold };
};
