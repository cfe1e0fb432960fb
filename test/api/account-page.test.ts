import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { anApi, api } from '../support/api.ts';
import { aBrowserOrSkip, closePages, visitPage } from '../support/browser.ts';
import { aMailbox } from '../support/mailbox.ts';
import { aProject, PASSWORD } from '../support/people.ts';
import { anAccount, signIn } from '../support/sessions.ts';

const NEW_PASSWORD = 'another long one';

describe('Account pages linked in emails', () => {
  let browser: Browser;
  let mailbox: Awaited<ReturnType<typeof aMailbox>>;

  before(async function () {
    browser = await aBrowserOrSkip(this);
    mailbox = await aMailbox();
  });
  after(async () => {
    mailbox?.close();
    await closePages(browser);
  });

  /**
   * Opens the link in the latest email, with the address of the tested API as its host, submits the form with these
   * fields, and returns the message of the page.
   */
  const followLink = async (email: string, fields: Record<string, string> = {}): Promise<string> => {
    const link = (await mailbox.mailsTo(email)).at(-1)?.text.match(/http\S+/)?.[0] ?? '';
    const { pathname, hash } = new URL(link);
    const { page, consoleMessages, foreignRequests, close } = await visitPage(
      browser,
      (await anApi()) + pathname + hash,
    );
    for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
    await page.click('button');
    await page.waitForSelector('#message:not(:empty)');
    const message = await page.innerText('#message');
    await close();
    expect([consoleMessages, foreignRequests]).to.deep.equal([[], []]);
    return message;
  };

  it('links in emails open pages that confirm an address and set a password, so that no dashboard is needed', async () => {
    const account = anAccount();
    await api().post('/v3/auth/signup', account);
    expect(await followLink(account.email, { password: PASSWORD })).to.equal('Your address is confirmed.');
    await api().put('/v3/auth/requestresetpsw', { email: account.email });
    expect(await followLink(account.email, { password: NEW_PASSWORD })).to.match(/^Your new password is set/);
    expect((await signIn(account.email, NEW_PASSWORD)).body.user.emailverified).to.equal(true);
  });

  it('the link in an invitation opens a page that creates the account of the invited person', async () => {
    const { project, admin } = await aProject();
    const email = `${randomUUID()}@example.com`;
    await api(admin).post(`/v3/${project.id}/project_users/invite`, { email, role: 'agent' });
    const message = await followLink(email, { firstname: 'Bea', lastname: 'Ray', password: NEW_PASSWORD });
    expect(message).to.match(/^Your account has been created/);
    const { token } = (await signIn(email, NEW_PASSWORD)).body;
    expect((await api({ id: '', authorization: token }).get('/v3/projects')).body).to.have.lengthOf(1);
  });
});
