/** The hourly limit of emails of one template to one address. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { isRateLimited, queueMail } from '#shared/domain/mails/mail-queue.ts';
import { countExamined, queriesDuring } from '../support/explain.ts';
import { times } from '../support/fleet-fixture.ts';

describe('Email limit of an address', () => {
  it('emails that were dropped because a budget of the project was used up do not count towards the hourly limit of the address, and are not read either', async () => {
    const to = `${randomUUID()}@example.com`;
    const store = (count: number, failure: string) =>
      Promise.all(times(count, () => queueMail({ template: 'verify', to, values: {} }, { failure })));
    await Promise.all([store(20, 'PROJECT_MAILS_PER_HOUR'), store(20, 'PROJECT_MAILS_PER_DAY')]);
    const queries = await queriesDuring(['mails'], async () => {
      expect(await isRateLimited('verify', to)).to.equal(false);
    });
    expect(await countExamined(queries)).to.be.at.most(10);
    await store(5, 'The mail server refused the address');
    expect(await isRateLimited('verify', to)).to.equal(true);
  });
});
