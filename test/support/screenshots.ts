/** Takes the screenshots of all pages of a running demo system. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { Conversation } from '#shared/models/conversation.ts';
import { call } from './api.ts';
import { visitPage } from './browser.ts';
import { type DemoSystem, panesOf, say, signIn } from './demo-system.ts';

const SOURCE = '[1] Returns and opening hours';
const MAX_COLORS = 64;
const TIMEOUT_MS = 60_000;

interface Shot {
  path: string | ((system: DemoSystem) => string | Promise<string>);
  /** Brings the page into the state that the screenshot shows. */
  prepare?(page: Page, system: DemoSystem): Promise<void>;
  /** Whether the screenshot contains only the visible part of a long page. */
  isCut?: boolean;
  isForAdministrators?: boolean;
  isDark?: boolean;
}

/** A picture of a dented parcel. */
const PARCEL = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200">
  <rect width="300" height="200" fill="#e9e4da"/>
  <path d="M60 80l90-40 95 38-88 46z" fill="#d9b382"/>
  <path d="M60 80l97 44v66l-97-44z" fill="#b98b55"/>
  <path d="M157 124l88-46-6 22 10 42-92 48z" fill="#c89b66"/>
  <path d="M98 63l97 40v22l-14 8v-24L84 69z" fill="#f3ead8"/>
</svg>`;

const ask = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText(SOURCE).waitFor();
};

const converse = async (page: Page, { demo }: DemoSystem): Promise<void> => {
  await signIn(page, demo);
  const [visitor, inbox] = panesOf(page);
  await say(visitor, 'How long do I have to return a parcel?');
  await visitor.getByText(SOURCE).waitFor();
  await say(visitor, 'I want to talk to a person');
  await visitor.getByText('One moment, please').waitFor();
  await inbox.locator('.conversations li').first().getByRole('button').click();
  await inbox.getByText('visitor online').waitFor();
  await say(inbox, 'Hello, this is Demo from the shop. How can I help?');
  await visitor.getByText('this is Demo').waitFor();
  const buffer = await sharp(Buffer.from(PARCEL)).png().toBuffer();
  await visitor.locator('input[type="file"]').setInputFiles({ name: 'parcel.png', mimeType: 'image/png', buffer });
  await inbox.locator('ol img').waitFor();
  await say(visitor, 'The parcel arrived like this. Can I still send it back?');
  await inbox.locator('ol').getByText('like this').waitFor();
};

const showDashboard = async (page: Page, { demo }: DemoSystem): Promise<void> => {
  await signIn(page, demo);
  await page.locator('#figures[aria-busy="false"]').waitFor();
  await page.locator('#knowledge tbody').first().waitFor();
};

const dashboardPath = ({ demo }: DemoSystem): string => `/v3/${demo.project}/dashboard?days=30&timezone=Europe/Rome`;

/** The path of the transcript of the newest conversation. */
const transcriptPath = async ({ url, demo: { project: id_project, email, password } }: DemoSystem): Promise<string> => {
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
  const { request_id } = await Conversation.findOne({ id_project }).sort({ createdAt: -1 }).orFail();
  const address = `${url}/v3/${id_project}/requests/${request_id}/transcript-link`;
  const { body } = await call('GET', address, { headers: { authorization } });
  const { pathname, search } = new URL(body.links['messages.html']);
  return pathname + search;
};

const SHOTS: Record<string, Shot> = {
  landing: { path: '/', prepare: ask },
  demo: { path: '/demo', prepare: converse },
  dashboard: { path: dashboardPath, prepare: showDashboard },
  'dashboard-dark': { path: dashboardPath, prepare: showDashboard, isDark: true, isCut: true },
  transcript: { path: transcriptPath },
  account: { path: '/account#/forgotpassword' },
  events: { path: '/docs/events', isCut: true },
  'api-reference': { path: '/docs', isCut: true, prepare: (page) => page.locator('h2').first().waitFor() },
  fleet: { path: '/admin/fleet', isCut: true, isForAdministrators: true },
  queues: { path: '/admin/queues', isCut: true, isForAdministrators: true },
};

interface ScreenshotOptions {
  folder: string;
  /** Widths of the window, in pixels. */
  widths: number[];
  /** The names of the screenshots to take; all by default. */
  names?: string[];
}

const takeOne = async (
  browser: Browser,
  system: DemoSystem,
  { shot, width, file }: { shot: Shot; width: number; file: string },
): Promise<void> => {
  const { email: username, password } = system.demo;
  const address = system.url + (typeof shot.path === 'string' ? shot.path : await shot.path(system));
  const { page, close } = await visitPage(browser, address, {
    width,
    httpCredentials: shot.isForAdministrators ? { username, password } : undefined,
    colorScheme: shot.isDark ? 'dark' : 'light',
  });
  page.setDefaultTimeout(TIMEOUT_MS);
  await shot.prepare?.(page, system);
  const png = await page.screenshot({ fullPage: !shot.isCut });
  await close();
  await sharp(png).png({ palette: true, colours: MAX_COLORS, effort: 10 }).toFile(file);
};

/** Takes screenshots as `NAME-WIDTH.png`, and returns the names of the files. */
export const takeScreenshots = async (
  browser: Browser,
  system: DemoSystem,
  { folder, widths, names = Object.keys(SHOTS) }: ScreenshotOptions,
): Promise<string[]> => {
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const [name, shot] of Object.entries(SHOTS).filter(([each]) => names.includes(each)))
    for (const width of widths) {
      const file = path.join(folder, `${name}-${width}.png`);
      await takeOne(browser, system, { shot, width, file });
      files.push(file);
    }
  return files;
};
