/** The demo page in a browser, with the demo project of `npm start`, an API and a worker. */
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { markVerified } from '#shared/domain/accounts/address-verification.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { type Demo, ensureDemo } from '../../scripts/demo.mjs';
import { aBrowserOrSkip, visitPage } from '../support/browser.ts';
import { aFleet, type Fleet } from '../support/fleet.ts';
import { anImage } from '../support/uploads.ts';

const say = async (pane: Locator, text: string): Promise<void> => {
  await pane.locator('input[type="text"]').fill(text);
  await pane.getByRole('button', { name: 'Send' }).click();
};

const textsIn = (pane: Locator): Promise<string[]> => pane.locator('ol li p').allInnerTexts();

const signIn = async (page: Page, { password = '' }): Promise<void> => {
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

describe('Demo page', () => {
  let fleet: Fleet;
  let browser: Browser;
  let demo: Demo;
  let url: string;

  before(async function () {
    browser = await aBrowserOrSkip(this);
    fleet = await aFleet();
    const [api] = await Promise.all([fleet.api(), fleet.worker()]);
    url = api.url;
    const cli = async (...[, , email = '']: string[]) => void (await markVerified(email));
    demo = await ensureDemo({ url, dataDir: fleet.dataDir, cli });
    expect(demo.missing).to.equal(undefined);
  });
  after(async () => {
    await browser?.close();
    await fleet?.close();
  });

  it('a visitor gets an answer with its sources, then an agent, sends a picture, loses the network, and rates; nothing is lost or shown twice', async () => {
    const { page, consoleMessages, foreignRequests, close } = await visitPage(browser, `${url}/demo`);
    page.setDefaultTimeout(60_000);
    await signIn(page, demo);
    const [visitor, inbox] = [page.locator('section.visitor'), page.locator('section:not(.visitor)')];

    await say(visitor, 'Until when can I return a parcel?');
    await visitor.getByText('[1] Returns and opening hours').waitFor();
    await say(visitor, 'I want to talk to a person');
    await inbox.getByText('Visitor, served').waitFor();
    await inbox.getByText('visitor online').waitFor();
    await visitor.locator('input[type="file"]').setInputFiles({
      ...{ name: 'parcel.png', mimeType: 'image/png' },
      buffer: await anImage(),
    });
    await inbox.locator('ol img').waitFor();

    await page.context().setOffline(true);
    await say(visitor, 'Sent without a network');
    await page.context().setOffline(false);
    await inbox.getByText('Sent without a network').waitFor();
    await say(inbox, 'Hello from the team');
    await visitor.getByText('Hello from the team').waitFor();

    await inbox.getByRole('button', { name: 'Close' }).click();
    await visitor.getByRole('button', { name: '5 of 5' }).click();
    await inbox.getByText('Visitor, closed, rated 5 of 5').waitFor();

    const stored = await Message.find({ id_project: demo.project, 'attributes.subtype': { $ne: 'info' } }).lean();
    const expected = stored.flatMap(({ text }) => text ?? []).toSorted();
    for (const pane of [visitor, inbox]) expect((await textsIn(pane)).toSorted()).to.deep.equal(expected);
    expect(await Conversation.countDocuments({ id_project: demo.project })).to.equal(1);
    expect(consoleMessages.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).to.deep.equal([]);
    expect(foreignRequests).to.deep.equal([]);
    await close();
  });
});
