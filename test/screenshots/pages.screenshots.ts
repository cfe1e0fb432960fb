/** `npm run screenshots`: writes pictures of all pages to `docs/screenshots/`. */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { DEMO_OWNER_EMAIL } from '../../scripts/demo.mjs';
import { freePort } from '../../scripts/set-up/ports.mjs';
import { aBrowserOrSkip, closePages } from '../support/browser.ts';
import { addHistory } from '../support/demo-history.ts';
import { aDemoSystem, type DemoSystem } from '../support/demo-system.ts';
import { takeScreenshots } from '../support/screenshots.ts';

const FOLDER = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const WIDTHS = [1280, 390];
/** The preferred port: another one would change the picture of the API reference, which shows the port. */
const PORT = 3000;
const CONVERSATIONS = 640;
const MAX_TOTAL_BYTES = 1_500_000;

describe('Screenshots', () => {
  let browser: Browser;
  let system: DemoSystem;

  before(async function () {
    browser = await aBrowserOrSkip(this);
    system = await aDemoSystem({ PORT: String(await freePort(PORT)), OPERATORS: DEMO_OWNER_EMAIL });
    await addHistory(system.demo.project, { requests: CONVERSATIONS });
  });
  after(async () => {
    await closePages(browser);
    await system?.close();
  });

  it('screenshots of all pages at two widths take up less than 1.5 MB in total', async () => {
    const files = await takeScreenshots(browser, system, { folder: FOLDER, widths: WIDTHS });
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    console.log(files.map((file, index) => `      ${sizes[index]} ${file}`).join('\n'));
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.below(MAX_TOTAL_BYTES);
  });
});
