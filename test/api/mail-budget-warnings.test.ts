import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { chargeProject } from '#shared/domain/mails/budget.ts';
import { logsDuring } from '../support/capture-logs.ts';
import { aProject } from '../support/people.ts';

describe('Warnings about the email budget', () => {
  const { PROJECT_MAILS_PER_HOUR, PROJECT_MAILS_PER_DAY } = config;
  afterEach(() => void Object.assign(config, { PROJECT_MAILS_PER_HOUR, PROJECT_MAILS_PER_DAY }));

  it('no warning about PROJECT_MAILS_PER_DAY is logged for emails that are dropped because PROJECT_MAILS_PER_HOUR is used up', async () => {
    const { project } = await aProject();
    Object.assign(config, { PROJECT_MAILS_PER_HOUR: 1, PROJECT_MAILS_PER_DAY: 1 });
    const logs = await logsDuring(async () => {
      for (const setting of [null, 'PROJECT_MAILS_PER_HOUR', 'PROJECT_MAILS_PER_HOUR'])
        expect(await chargeProject(project.id)).to.equal(setting);
    });
    expect(logs.match(/PROJECT_MAILS_PER_\w+ is exhausted/g)).to.deep.equal(['PROJECT_MAILS_PER_HOUR is exhausted']);
  });
});
