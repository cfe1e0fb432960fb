/** A headless Chromium: from PATH, otherwise from the npm packages. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import type { Context } from 'mocha';
import { type Browser, type Page, type Response, chromium as playwright } from 'playwright-core';
import { skipWithReason } from './skip-with-reason.ts';
import { onGroupEnd } from './suite-cleanup.ts';

const BROWSER_ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const findOnPath = async (): Promise<string> => {
  const { stdout } = await promisify(execFile)('which', ['chromium']);
  return stdout.trim();
};

/** A browser and the path of its executable. */
interface RunningBrowser {
  browser: Browser;
  path: string;
}

let running: Promise<RunningBrowser | string> | undefined;

/** Starts a browser. Returns the reasons if no browser can be started on this machine. */
const start = async (): Promise<RunningBrowser | string> => {
  const reasons: string[] = [];
  for (const find of [findOnPath, () => chromium.executablePath()]) {
    try {
      const path = await find();
      const browser = await playwright.launch({ executablePath: path, args: BROWSER_ARGS, timeout: 15_000 });
      onGroupEnd(() => {
        running = undefined;
        return browser.close();
      });
      return { browser, path };
    } catch (error) {
      reasons.push((error as Error).message.split('\n')[0] ?? ''); // try the next browser
    }
  }
  return reasons.join('; ');
};

const runningOrSkip = async (context: Context): Promise<RunningBrowser> => {
  const started = await (running ??= start());
  return typeof started === 'string' ? skipWithReason(context, `no Chromium can be started: ${started}`) : started;
};

/**
 * Returns the browser of this process, for `before` hooks. Skips the tests of the suite if no browser can be started.
 * Each suite closes its pages with `closePages`.
 */
export const aBrowserOrSkip = async (context: Context): Promise<Browser> => (await runningOrSkip(context)).browser;

/** Returns the path of a browser that can be started. Skips the tests of the suite if there is none. */
export const findBrowserOrSkip = async (context: Context): Promise<string> => (await runningOrSkip(context)).path;

/** Closes all pages of a browser; does nothing without a browser. */
export const closePages = async (browser?: Browser): Promise<void> => {
  for (const context of browser?.contexts() ?? []) await context.close();
};

const sizeOf = async (response: Response): Promise<number> => {
  const { responseBodySize, responseHeadersSize } = await response.request().sizes();
  return responseBodySize + responseHeadersSize;
};

/** Counts the bytes that a page transfers from now on. The returned function gives the sum while the page is open. */
const countBytes = (page: Page): (() => Promise<number>) => {
  const responses: Response[] = [];
  page.on('response', (response) => void responses.push(response));
  return async () => (await Promise.all(responses.map(sizeOf))).reduce((sum, size) => sum + size, 0);
};

interface VisitOptions {
  httpCredentials?: { username: string; password: string };
  /** Width of the window in pixels. */
  width?: number;
  colorScheme?: 'dark' | 'light';
}

const DEFAULT_WIDTH = 1280;
const HEIGHT = 900;

/** Opens a page and collects its console warnings and errors, and its requests to other origins, which are blocked. */
export const visitPage = async (
  browser: Browser,
  address: string,
  { width = DEFAULT_WIDTH, ...options }: VisitOptions = {},
) => {
  // Without a locale, Chromium uses the language of the process, which may not be a valid language tag.
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width, height: HEIGHT }, ...options });
  const page: Page = await context.newPage();
  const consoleMessages: string[] = [];
  const foreignRequests: string[] = [];
  page.on(
    'console',
    (message) => void (['error', 'warning'].includes(message.type()) && consoleMessages.push(message.text())),
  );
  page.on('pageerror', (error) => void consoleMessages.push(error.message));
  const isForeign = (url: URL) => url.origin !== new URL(address).origin && /^(http|ws)/.test(url.protocol);
  await context.route(isForeign, (route) => {
    foreignRequests.push(route.request().url());
    return route.abort();
  });
  const transferredBytes = countBytes(page);
  const response = await page.goto(address, { waitUntil: 'networkidle' });
  const policy = response?.headers()['content-security-policy'] ?? '';
  return { page, policy, consoleMessages, foreignRequests, transferredBytes, close: () => context.close() };
};

/** A visited page. */
export type Visit = Awaited<ReturnType<typeof visitPage>>;
