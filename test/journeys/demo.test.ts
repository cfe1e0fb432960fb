/** The demo page in a browser, with the demo project of `npm start`, an API and a worker. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import sharp from 'sharp';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import type { Demo } from '../../scripts/demo.mjs';
import { aBrowserOrSkip, closePages, visitPage } from '../support/browser.ts';
import { aDemoSystem, type Credentials, type DemoSystem, say as sayIn, signIn } from '../support/demo-system.ts';
import { aTeammate, PASSWORD } from '../support/people.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { aTcpProxy } from '../support/tcp-proxy.ts';
import { anImage } from '../support/uploads.ts';

/** How long the network is cut. */
const CUT_MS = 10_000;
const PATIENCE_MS = 60_000;
/** Delay between keystrokes, so that typing a text takes longer than the minimum interval between two typing events. */
const KEY_DELAY_MS = 250;
/** A message must hide the typing indicator within this time; otherwise, the indicator stays 6 s after an event. */
const MESSAGE_HIDES_TYPING_MS = 5000;
/** The console messages that browsers log for each call and socket that fails while the network is cut. */
const NETWORK_ERROR = /net::ERR_(CONNECTION|EMPTY|NETWORK|SOCKET)/;

type DemoPage = Awaited<ReturnType<typeof visitPage>> & { pane: Locator };

const say = ({ pane }: DemoPage, text: string): Promise<void> => sayIn(pane, text);

/** Waits until a pane shows a string. */
const sees = ({ pane }: DemoPage, text: string | RegExp): Promise<void> => pane.getByText(text).first().waitFor();

const attach = async ({ pane }: DemoPage, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> =>
  pane.locator('input[type="file"]').setInputFiles(file);

describe('Demo page', () => {
  let system: DemoSystem;
  let browser: Browser;
  let demo: Demo;
  let network: Awaited<ReturnType<typeof aTcpProxy>>;

  before(async function () {
    browser = await aBrowserOrSkip(this);
    system = await aDemoSystem();
    demo = system.demo;
    network = await aTcpProxy({ host: '127.0.0.1', port: Number(new URL(system.url).port) });
  });
  after(async () => {
    await closePages(browser);
    await network?.close();
    await system?.close();
  });

  const visit = async (fragment: string): Promise<DemoPage> => {
    const visited = await visitPage(browser, `http://127.0.0.1:${network.port}/demo${fragment}`);
    visited.page.setDefaultTimeout(PATIENCE_MS);
    return { ...visited, pane: visited.page.locator('section') };
  };

  /** A visitor's page and an agent's page; both show the conversation that the visitor opens. */
  const aConversation = async (agent: Credentials) => {
    const [visitor, inbox] = await Promise.all([visit(`#visitor/${demo.project}`), visit('#inbox')]);
    await signIn(inbox.page, agent);
    const session = `demo-visitor-${demo.project}`;
    const stored = await visitor.page.waitForFunction((key) => sessionStorage.getItem(key), session);
    const { conversation: id } = JSON.parse(String(await stored.jsonValue())) as { conversation: string };
    return { visitor, inbox, id };
  };
  type OpenedConversation = Awaited<ReturnType<typeof aConversation>>;

  const isAnsweredAndHandedOver = async ({ visitor, inbox, id }: OpenedConversation): Promise<void> => {
    await say(visitor, 'How long do I have to return a parcel?');
    await sees(visitor, '[1] Returns and opening hours');
    await say(visitor, 'I want to talk to a person');
    await inbox.pane.locator(`button[data-id="${id}"]`).click();
    await inbox.pane.getByRole('button', { name: 'Join' }).click();
    await sees(inbox, 'Visitor, served');
    await sees(inbox, 'visitor online');
  };

  const showsTyping = async ({ visitor, inbox }: OpenedConversation): Promise<void> => {
    for (const [writer, reader] of [
      [visitor, inbox],
      [inbox, visitor],
    ] as const) {
      const status = reader.pane.getByRole('status').getByText('is writing…');
      const keys = writer.pane
        .locator('input[type="text"]')
        .pressSequentially('Let me show you', { delay: KEY_DELAY_MS });
      await Promise.all([keys, status.waitFor()]);
      await writer.pane.getByRole('button', { name: 'Send' }).click();
      await sees(reader, 'Let me show you');
      await status.waitFor({ state: 'detached', timeout: MESSAGE_HIDES_TYPING_MS });
    }
  };

  const exchangesFiles = async ({ visitor, inbox }: OpenedConversation): Promise<void> => {
    await attach(visitor, { name: 'parcel.png', mimeType: 'image/png', buffer: await anImage() });
    await inbox.pane.locator('ol img').waitFor();
    await attach(inbox, { name: 'label.txt', mimeType: 'text/plain', buffer: Buffer.from('Your label') });
    await visitor.pane.getByRole('link', { name: 'label.txt' }).waitFor();
  };

  const isClosedAndRated = async ({ visitor, inbox }: OpenedConversation, rating: number): Promise<void> => {
    await inbox.pane.getByRole('button', { name: 'Close' }).click();
    await visitor.pane.getByRole('button', { name: `${rating} of 5` }).click();
    await sees(inbox, `Visitor, closed, rated ${rating} of 5`);
  };

  /** Expects that both pages show every message of the conversation once. */
  const showsEachMessageOnce = async ({ visitor, inbox, id }: OpenedConversation): Promise<void> => {
    const visibleMessages = { recipient: id, id_project: demo.project, 'attributes.subtype': { $ne: 'info' } };
    const expected = (await Message.find(visibleMessages).lean()).map(({ _id }) => String(_id));
    for (const { pane } of [visitor, inbox]) {
      const items = await pane.locator('ol > li').all();
      const ids = await Promise.all(items.map((item) => item.getAttribute('data-id')));
      expect(ids).to.have.members(expected);
    }
  };

  it('two conversations in four browser pages are answered, handed over, disconnected for ten seconds and rated, without lost or duplicate messages', async () => {
    const colleague = await aTeammate(demo.project, 'admin');
    const agents = [{ password: demo.password }, { email: colleague.email, password: PASSWORD }];
    const opened = await Promise.all(agents.map(aConversation));
    const pages = opened.flatMap(({ visitor, inbox }) => [visitor, inbox]);
    await Promise.all(opened.map(isAnsweredAndHandedOver));
    await Promise.all(opened.map(showsTyping));
    await Promise.all(opened.map(exchangesFiles));
    const problems = pages.flatMap(({ consoleMessages }) => consoleMessages.splice(0));

    network.shut();
    const restored = sleep(CUT_MS).then(network.acceptConnections);
    for (const [index, each] of pages.entries()) await say(each, `Sent without a network by ${index}`);
    for (const { pane } of pages) await pane.locator('.pending').waitFor();
    await restored;
    for (const [index, { visitor, inbox }] of opened.entries()) {
      await sees(visitor, `Sent without a network by ${2 * index + 1}`);
      await sees(inbox, `Sent without a network by ${2 * index}`);
    }
    for (const { pane } of pages) await pane.locator('.pending').waitFor({ state: 'detached' });
    const duringCut = pages.flatMap(({ consoleMessages }) => consoleMessages.splice(0));

    await Promise.all(opened.map((each, index) => isClosedAndRated(each, 5 - index)));
    for (const each of opened) await showsEachMessageOnce(each);
    expect(await Conversation.countDocuments({ id_project: demo.project })).to.equal(2);
    problems.push(...pages.flatMap(({ consoleMessages }) => consoleMessages));
    problems.push(...duringCut.filter((text) => !NETWORK_ERROR.test(text)));
    expect(problems).to.deep.equal([]);
    expect(pages.flatMap(({ foreignRequests }) => foreignRequests)).to.deep.equal([]);
  });

  it('the screenshots command takes a picture of the landing page, which shows an answer with its sources', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'screenshots-'));
    const [file = ''] = await takeScreenshots(browser, system, { folder, widths: [390], names: ['landing'] });
    const { format, width, size } = await sharp(await readFile(file)).metadata();
    expect({ format, width }).to.deep.equal({ format: 'png', width: 390 });
    expect(size).to.be.within(5_000, 100_000);
    await rm(folder, { recursive: true });
  });
});
