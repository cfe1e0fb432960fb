/** `npm run cli -- accounts …` */
import type { Command } from 'commander';
import { vouchFor } from '#shared/domain/access/accounts.ts';
import { withRecords } from './services.ts';

const verify = async (given: string): Promise<void> => {
  const { email, firstname, lastname, createdAt } = await vouchFor(given);
  // Who vouches sees whom for: a stranger may have signed up with that address first.
  console.log(`${email} is verified: ${firstname} ${lastname}, signed up ${createdAt.toISOString()}.`);
};

/** What can be done to accounts. */
export const addAccounts = (program: Command): void => {
  program
    .command('accounts')
    .description('people with an account')
    .command('verify <email>')
    .description('take an e-mail for proved, where no mail can prove it; an operator needs one that is')
    .action((email: string) => withRecords(() => verify(email)));
};
