/** A headless Chromium: from PATH, otherwise from the npm packages. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import type { Context } from 'mocha';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
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

/** A browser, or a text with the reason why none can be started on this machine. */
const aBrowser = async (): Promise<Browser | string> => {
  const reasons: string[] = [];
  for (const find of [findOnPath, () => chromium.executablePath()]) {
    try {
      return await launch(find);
    } catch (error) {
      reasons.push((error as Error).message.split('\n')[0] ?? ''); // try the next one
    }
  }
  return reasons.join('; ');
};

/** A browser; skips the tests of the suite where none starts. For `before` hooks. */
export const aBrowserOrSkip = async (context: Context): Promise<Browser> => {
  const started = await aBrowser();
  return typeof started === 'string' ? skipWithReason(context, `no Chromium starts here: ${started}`) : started;
};

/** Opens a page and collects its console warnings and errors, and its requests to other origins. */
export const visitPage = async (
  browser: Browser,
  address: string,
  httpCredentials?: { username: string; password: string },
) => {
  const context = await browser.newContext({ httpCredentials });
  const page: Page = await context.newPage();
  const consoleMessages: string[] = [];
  const foreignRequests: string[] = [];
  page.on(
    'console',
    (message) => void (['error', 'warning'].includes(message.type()) && consoleMessages.push(message.text())),
  );
  page.on('pageerror', (error) => void consoleMessages.push(error.message));
  page.on(
    'request',
    (request) =>
      void (new URL(request.url()).origin === new URL(address).origin || foreignRequests.push(request.url())),
  );
  await page.goto(address, { waitUntil: 'networkidle' });
  return { page, consoleMessages, foreignRequests, close: () => context.close() };
};
