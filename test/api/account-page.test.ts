import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { anApi, api } from '../support/api.ts';
import { aBrowser, visit } from '../support/browser.ts';
import { aMailbox } from '../support/mailbox.ts';
import { notRun } from '../support/not-run.ts';
import { aProject, PASSWORD } from '../support/people.ts';
import { anAccount, signIn } from '../support/sessions.ts';

const NEW = 'another long one';

describe('The links of mails', () => {
  let browser: Browser;
  let mailbox: Awaited<ReturnType<typeof aMailbox>>;

  before(async function () {
    this.timeout(30_000);
    const started = await aBrowser();
    if (typeof started === 'string') return notRun(this, `no Chromium starts here: ${started}`);
    browser = started;
    mailbox = await aMailbox();
  });
  after(async () => {
    mailbox?.close();
    await browser?.close();
  });

  /** Opens the link of the latest mail at this API, fills the form in, and tells what the page says then. */
  const follow = async (email: string, fields: Record<string, string> = {}): Promise<string> => {
    const link = (await mailbox.to(email)).at(-1)?.text.match(/http\S+/)?.[0] ?? '';
    const { pathname, hash } = new URL(link);
    const { page, complaints, strangers, close } = await visit(browser, (await anApi()) + pathname + hash);
    for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
    await page.click('button');
    await page.waitForSelector('#said:not(:empty)');
    const said = await page.innerText('#said');
    await close();
    expect([complaints, strangers]).to.deep.equal([[], []]);
    return said;
  };

  it('confirm an address and set a password where there is no dashboard', async function () {
    this.timeout(20_000);
    const account = anAccount();
    await api().post('/v3/auth/signup', account);
    expect(await follow(account.email, { password: PASSWORD })).to.equal('Your address is confirmed.');
    await api().put('/v3/auth/requestresetpsw', { email: account.email });
    expect(await follow(account.email, { password: NEW })).to.match(/^Your new password is set/);
    expect((await signIn(account.email, NEW)).body.user.emailverified).to.equal(true);
  });

  it('make the account of somebody who is invited', async function () {
    this.timeout(20_000);
    const { project, admin } = await aProject();
    const email = `${randomUUID()}@example.com`;
    await api(admin).post(`/v3/${project.id}/project_users/invite`, { email, role: 'agent' });
    const said = await follow(email, { firstname: 'Bea', lastname: 'Ray', password: NEW });
    expect(said).to.match(/^Your account is made/);
    const { token } = (await signIn(email, NEW)).body;
    expect((await api({ id: '', authorization: token }).get('/v3/projects')).body).to.have.lengthOf(1);
  });
});
