/**
 * Renders pages in a browser, so that their scripts can add text. `fetchGuarded`, which refuses private addresses,
 * answers the requests of a page, within limits for each page. A browser that this process starts has no other access
 * to the network.
 */
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { config } from '../config.ts';
import { FetchError, fetchGuarded } from '../fetch/guarded-fetch.ts';

/** A fetched page to be rendered. */
export interface RenderInput {
  url: string;
  body: Uint8Array;
  contentType: string;
  /** Seconds to wait after the page has loaded. Default: until its requests have ended, at most IDLE_TIMEOUT_MS. */
  waitSeconds?: number;
  signal: AbortSignal;
}

const LOAD_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 3000;
const MAX_REQUESTS = 100;
const MAX_BYTES = 20_000_000;
/** The types of resources that can add text to a page. Others, such as images, are blocked. */
const LOADED_TYPES = new Set(['script', 'xhr', 'fetch', 'stylesheet', 'document']);
const DEVTOOLS_URL = /^(https?|wss?):/;

/** The browser resolves no host names, so that requests that are not intercepted, such as prefetches, fail. */
const NO_NETWORK = ['--host-resolver-rules=MAP * ~NOTFOUND', '--disable-background-networking', '--no-first-run'];

const renderError = (code: string, message: string) =>
  new FetchError(code, message, { hint: 'Rendering will be retried later.', transient: true });

let browser: Promise<Browser> | undefined;

const startBrowser = async (address: string): Promise<Browser> => {
  const { chromium } = await import('playwright-core');
  const started = DEVTOOLS_URL.test(address)
    ? await chromium.connectOverCDP(address, { timeout: LOAD_TIMEOUT_MS })
    : await chromium.launch({
        executablePath: address,
        args: NO_NETWORK,
        chromiumSandbox: process.getuid?.() !== 0, // as root, Chromium does not start with its sandbox
        ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
        timeout: LOAD_TIMEOUT_MS,
      });
  started.on('disconnected', () => {
    browser = undefined;
  });
  return started;
};

/** Returns the browser of this process. It is started for the first page, and again after a crash. */
const openBrowser = async (): Promise<Browser> => {
  browser ??= startBrowser(config.BROWSER ?? '');
  try {
    return await browser;
  } catch (error) {
    browser = undefined;
    throw renderError(
      'BROWSER_UNAVAILABLE',
      `The browser cannot be started: ${(error as Error).message.slice(0, 200)}`,
    );
  }
};

/**
 * Answers the requests of one page: the request for its own document with the fetched body, and the others, if they are
 * permitted, through `fetchGuarded`.
 */
class PageRequests {
  readonly #input: RenderInput;
  #requests = 0;
  #bytes = 0;

  constructor(input: RenderInput) {
    this.#input = input;
  }

  async answer(route: Route): Promise<void> {
    const request = route.request();
    const isOwnDocument = request.isNavigationRequest() && request.frame().parentFrame() === null;
    try {
      if (isOwnDocument) await this.#answerDocument(route);
      else if (this.#permits(request.method(), request.resourceType())) await this.#answerFetched(route);
      else await route.abort('blockedbyclient');
    } catch {
      await route.abort('failed').catch(() => undefined); // the page may have been closed
    }
  }

  /**
   * A navigation to another address is answered with 204, so that the browser stays on the page: only the text at the
   * page's own address is wanted.
   */
  async #answerDocument(route: Route): Promise<void> {
    const { url, body, contentType } = this.#input;
    if (route.request().url() !== URL.parse(url)?.href) return route.fulfill({ status: 204 });
    await route.fulfill({ status: 200, contentType: contentType || 'text/html', body: Buffer.from(body) });
  }

  #permits(method: string, type: string): boolean {
    this.#requests += 1;
    return method === 'GET' && LOADED_TYPES.has(type) && this.#requests <= MAX_REQUESTS && this.#bytes < MAX_BYTES;
  }

  async #answerFetched(route: Route): Promise<void> {
    const { accept = '*/*' } = route.request().headers();
    const { status, headers, body } = await fetchGuarded(route.request().url(), { accept, signal: this.#input.signal });
    this.#bytes += body.byteLength;
    const kept = ['content-type', 'access-control-allow-origin'].flatMap((name) =>
      headers[name] ? [[name, headers[name]]] : [],
    );
    await route.fulfill({ status, headers: Object.fromEntries(kept), body: Buffer.from(body) });
  }
}

const settle = async (page: Page, waitSeconds: number | undefined): Promise<void> => {
  if (waitSeconds !== undefined) return page.waitForTimeout(waitSeconds * 1000);
  await page.waitForLoadState('networkidle', { timeout: IDLE_TIMEOUT_MS }).catch(() => undefined);
};

const renderIn = async (context: BrowserContext, input: RenderInput): Promise<string> => {
  const requests = new PageRequests(input);
  await context.route('**/*', (route) => requests.answer(route));
  await context.routeWebSocket('**', (socket) => socket.close());
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  await page.goto(input.url, { waitUntil: 'load', timeout: LOAD_TIMEOUT_MS });
  await settle(page, input.waitSeconds);
  return page.content();
};

/** The number of pages that are being rendered (at most BROWSER_PAGES), and the waiting callers in order. */
let active = 0;
const waiting = new Set<() => void>();

/** Waits for a turn to render a page. Throws the signal's reason when the signal is aborted. */
const acquire = async (signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted();
  if (active < config.BROWSER_PAGES) {
    active += 1;
    return;
  }
  const turn = Promise.withResolvers<void>();
  const leave = () => {
    waiting.delete(turn.resolve);
    turn.reject(signal.reason);
  };
  waiting.add(turn.resolve);
  signal.addEventListener('abort', leave, { once: true });
  await turn.promise.finally(() => signal.removeEventListener('abort', leave));
};

const release = (): void => {
  const [next] = waiting;
  if (!next) {
    active -= 1;
    return;
  }
  waiting.delete(next);
  next();
};

/**
 * Renders a page and returns its HTML. Throws a transient `FetchError` if the browser fails, and `TOO_LARGE` if the
 * HTML has too many characters. Throws the signal's reason when the signal is aborted.
 */
export const renderPage = async (input: RenderInput): Promise<string> => {
  await acquire(input.signal);
  let context: BrowserContext | undefined;
  const stop = () => void context?.close().catch(() => undefined);
  try {
    input.signal.throwIfAborted();
    const running = await openBrowser();
    context = await running.newContext({
      serviceWorkers: 'block',
      acceptDownloads: false,
      userAgent: config.FETCH_USER_AGENT,
    });
    input.signal.addEventListener('abort', stop, { once: true });
    const html = await renderIn(context, input);
    if (html.length <= config.FETCH_MAX_BYTES) return html;
    throw new FetchError('TOO_LARGE', `The rendered page has more than ${config.FETCH_MAX_BYTES} characters.`, {
      hint: 'Split the page, or ask an instance administrator to raise FETCH_MAX_BYTES.',
    });
  } catch (error) {
    input.signal.throwIfAborted();
    if (error instanceof FetchError) throw error;
    throw renderError('RENDER_FAILED', `The page cannot be rendered: ${(error as Error).message.slice(0, 200)}`);
  } finally {
    input.signal.removeEventListener('abort', stop);
    await context?.close().catch(() => undefined);
    release();
  }
};

/** Closes the browser of this process, if it has one. */
export const closeBrowser = async (): Promise<void> => {
  await (await browser?.catch(() => undefined))?.close();
};
