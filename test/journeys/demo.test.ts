/** The demo page in a browser, with the demo project of `npm start`, an API and a worker. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import sharp from 'sharp';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { aBrowserOrSkip, visitPage } from '../support/browser.ts';
import { aDemoSystem, type DemoSystem, panesOf, say, signInAsOwner } from '../support/demo-system.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { anImage } from '../support/uploads.ts';

const textsIn = (pane: Locator): Promise<string[]> => pane.locator('ol li p').allInnerTexts();

describe('Demo page', () => {
  let browser: Browser;
  let system: DemoSystem;

  before(async function () {
    browser = await aBrowserOrSkip(this);
    system = await aDemoSystem();
  });
  after(async () => {
    await browser?.close();
    await system?.close();
  });

  it('a visitor gets an answer with its sources, then an agent, sends a picture, loses the network, and rates; nothing is lost or shown twice', async () => {
    const { url, demo } = system;
    const { page, consoleMessages, foreignRequests, close } = await visitPage(browser, `${url}/demo`);
    page.setDefaultTimeout(60_000);
    await signInAsOwner(page, demo);
    const [visitor, inbox] = panesOf(page);

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

  it('the landing page asks the knowledge base and shows the answer with its sources, of which the screenshots command takes a picture', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'screenshots-'));
    const [file = ''] = await takeScreenshots(browser, system, { folder, widths: [390], names: ['landing'] });
    const { format, width = 0, size = 0 } = await sharp(await readFile(file)).metadata();
    expect({ format, width }).to.deep.equal({ format: 'png', width: 390 });
    expect(size).to.be.within(5_000, 100_000);
    await rm(folder, { recursive: true });
  });
});
