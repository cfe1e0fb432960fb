/** A running system with the demo project of `npm start`, and the actions of people on its pages. */
import type { Locator, Page } from 'playwright-core';
import { markVerified } from '#shared/domain/accounts/address-verification.ts';
import { ensureDemo } from '../../scripts/demo.mjs';
import { aFleet } from './fleet.ts';

/** Starts an API and a worker, and creates the demo. */
export const aDemoSystem = async (settings: Record<string, string> = {}) => {
  const fleet = await aFleet(settings);
  const [{ url }] = await Promise.all([fleet.api(), fleet.worker()]);
  const cli = async (...[, , email = '']: string[]) => void (await markVerified(email));
  const demo = await ensureDemo({ url, dataDir: fleet.dataDir, cli });
  if (demo.missing !== undefined) throw new Error(`There is no demo: ${demo.missing}`);
  return { url, demo, close: () => fleet.close() };
};

export type DemoSystem = Awaited<ReturnType<typeof aDemoSystem>>;

/** What a person enters to sign in. */
export interface Credentials {
  /** By default, the address that the form contains. */
  email?: string;
  password?: string;
}

/** Signs in on a page. */
export const signIn = async (page: Page, { email, password = '' }: Credentials): Promise<void> => {
  if (email) await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** Sends a message in a pane of the demo. */
export const say = async (pane: Locator, text: string): Promise<void> => {
  await pane.locator('input[type="text"]').fill(text);
  await pane.getByRole('button', { name: 'Send' }).click();
};

/** The panes of the visitor and of the team. */
export const panesOf = (page: Page) =>
  [page.locator('section.visitor'), page.locator('.panes section:not(.visitor)')] as const;
