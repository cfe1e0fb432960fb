import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { anApi, api } from '../support/api.ts';
import { aBrowserOrSkip, closePages, type Visit, visitPage } from '../support/browser.ts';
import { signIn } from '../support/demo-system.ts';
import { auditPage } from '../support/page-audit.ts';
import { anInstanceAdmin, aProject, aVisitor, PASSWORD } from '../support/people.ts';

const PHONE_WIDTH = 390;
const REFERENCE_BYTES = 11_000_000;

type Project = Awaited<ReturnType<typeof aProject>>;

interface PageCase {
  path: string | ((project: Project) => string);
  /** Selectors, each with a text that one of the elements matching it must have. */
  shows: [selector: string, text: string][];
  /** Prepares the page for the audit. */
  prepare?(page: Page, project: Project): Promise<void>;
  isForAdministrators?: boolean;
  /** Whether a library provides the page. Such a page inserts styles, and its defects cannot be fixed here. */
  isForeign?: boolean;
}

const signInAsAdmin = (page: Page, { admin: { email } }: Project): Promise<void> =>
  signIn(page, { email, password: PASSWORD });

const PAGES: Record<string, PageCase> = {
  'the landing page': {
    path: '/',
    shows: [
      ['.status li.ok b', 'Database'],
      ['.primary a', 'Open the demo'],
    ],
  },
  'the API reference': {
    path: '/docs',
    shows: [
      ['h2', 'Authentication'],
      ['a.group\\/button', 'Conversations'],
    ],
    isForeign: true,
  },
  'the event reference': { path: '/docs/events', shows: [['summary code', 'request.create']] },
  'the account page': { path: '/account#/forgotpassword', shows: [['button', 'Send the link']] },
  'the demo': {
    path: '/demo',
    shows: [
      ['.conversations small', 'Where is my parcel?'],
      ['.panes ol p', 'Where is my parcel?'],
    ],
    prepare: signInAsAdmin,
  },
  'the dashboard': {
    path: ({ project }) => `/v3/${project.id}/dashboard`,
    shows: [
      ['#figures[aria-busy="false"] h2', 'By agent'],
      ['#knowledge th', 'Default'],
    ],
    prepare: signInAsAdmin,
  },
  'the fleet page': {
    path: '/admin/fleet',
    shows: [
      ['#problems h2', 'What is wrong'],
      ['.scroll th a', 'kb'],
    ],
    isForAdministrators: true,
  },
  'the list of queues': {
    path: '/admin/queues',
    shows: [['a[href*="/queue/kb"]', 'kb']],
    ...{ isForAdministrators: true, isForeign: true },
  },
};

const textsOf = async (page: Page, selector: string): Promise<string[]> => {
  // Scalar, which renders the API reference, hides its list of sections on a phone: the element need not be visible.
  await page.locator(selector).first().waitFor({ state: 'attached', timeout: 60_000 });
  const texts = await page.locator(selector).allInnerTexts();
  return texts.map((text) => text.replaceAll('\u200b', '').trim());
};

describe('Pages in a browser', () => {
  let browser: Browser;
  let project: Project;

  before(async function () {
    browser = await aBrowserOrSkip(this);
    project = await aProject();
    const { id } = project.project;
    await api(await aVisitor(id)).post(`/v3/${id}/requests/one/messages`, { text: 'Where is my parcel?' });
  });
  after(() => closePages(browser));

  const expectClean = ({ consoleMessages, foreignRequests, policy }: Visit, isForeign = false): void => {
    expect(consoleMessages).to.deep.equal([]);
    expect(foreignRequests).to.deep.equal([]);
    expect(policy).to.include("script-src 'self';");
    // The scripts of Scalar and Bull Board insert style elements and attributes.
    if (!isForeign) expect(policy).not.to.include('unsafe-inline');
  };

  for (const [name, { path, shows, prepare, isForAdministrators, isForeign }] of Object.entries(PAGES)) {
    // Bull Board, which renders the list of queues, has text with too little contrast, and buttons without names.
    const isAudited = !isForAdministrators || !isForeign;
    const rules = isAudited ? 'fits a phone, does not shift while it loads, is accessible, and ' : '';
    it(`${name} ${rules}loads nothing from another host`, async () => {
      const address = (await anApi()) + (typeof path === 'string' ? path : path(project));
      const { email: username } = await anInstanceAdmin();
      const httpCredentials = isForAdministrators ? { username, password: PASSWORD } : undefined;
      const visit = await visitPage(browser, address, { width: PHONE_WIDTH, httpCredentials });
      await prepare?.(visit.page, project);
      for (const [selector, text] of shows) expect(await textsOf(visit.page, selector)).to.include(text);
      if (isAudited) await auditPage(visit, isForeign ? REFERENCE_BYTES : undefined);
      await visit.close();
      expectClean(visit, isForeign);
    });
  }

  it('the transcript of a conversation is accessible and runs no script', async () => {
    const {
      project: { id },
      admin,
    } = project;
    const { body } = await api(admin).get(`/v3/${id}/requests/one/transcript-link`);
    const { pathname, search } = new URL(body.links['messages.html']);
    const visit = await visitPage(browser, (await anApi()) + pathname + search, { width: PHONE_WIDTH });
    expect(await textsOf(visit.page, 'article p')).to.include('Where is my parcel?');
    // The content security policy allows the style element of the page.
    const border = await visit.page.evaluate('getComputedStyle(document.querySelector("article")).borderTopWidth');
    expect(border).to.equal('1px');
    expect(visit.policy).not.to.include('unsafe-inline');
    const html = await visit.page.content();
    await visit.close();
    // The sandbox of the page also forbids the scripts of the audit, so only a copy can be audited.
    const copy = await visitPage(browser, `${await anApi()}/health/live`, { width: PHONE_WIDTH });
    await copy.page.setContent(html);
    await auditPage(copy);
    await copy.close();
  });
});
