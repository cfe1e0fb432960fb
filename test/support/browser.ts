/** A headless Chromium: from PATH, otherwise from the npm packages. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import type { Context } from 'mocha';
import { type Browser, type Page, type Response, chromium as playwright } from 'playwright-core';
import { skipWithReason } from './skip-with-reason.ts';

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

const launch = async (find: () => Promise<string>): Promise<Browser> =>
  playwright.launch({ executablePath: await find(), args: BROWSER_ARGS, timeout: 15_000 });

/** Returns a browser, or the reasons why no browser can be started on this machine. */
const aBrowser = async (): Promise<Browser | string> => {
  const reasons: string[] = [];
  for (const find of [findOnPath, () => chromium.executablePath()]) {
    try {
      return await launch(find);
    } catch (error) {
      reasons.push((error as Error).message.split('\n')[0] ?? ''); // try the next browser
    }
  }
  return reasons.join('; ');
};

/** Returns a browser, for `before` hooks. Skips the tests of the suite if no browser can be started. */
export const aBrowserOrSkip = async (context: Context): Promise<Browser> => {
  const started = await aBrowser();
  return typeof started === 'string' ? skipWithReason(context, `no Chromium can be started: ${started}`) : started;
};

/** Returns the path of a browser that can be started. Skips the tests of the suite if there is none. */
export const findBrowserOrSkip = async (context: Context): Promise<string> => {
  for (const find of [findOnPath, () => chromium.executablePath()]) {
    try {
      const path = await find();
      await (await launch(async () => path)).close();
      return path;
    } catch {
      // try the next browser
    }
  }
  return skipWithReason(context, 'no Chromium can be started');
};

/** Counts the bytes that a page transfers from now on. */
const countBytes = (page: Page): (() => Promise<number>) => {
  const sizes: Promise<number>[] = [];
  const sizeOf = async (response: Response): Promise<number> => {
    const { responseBodySize, responseHeadersSize } = await response.request().sizes();
    return responseBodySize + responseHeadersSize;
  };
  page.on('response', (response) => void sizes.push(sizeOf(response)));
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
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
