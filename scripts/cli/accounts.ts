/** `npm run cli -- accounts …` */
import type { Command } from 'commander';
import { markVerified } from '#shared/domain/accounts/address-verification.ts';
import { withMongo } from './connections.ts';

const verifyEmail = async (address: string): Promise<void> => {
  const { email, firstname, lastname, createdAt } = await markVerified(address);
  // Prints the name, so that the administrator notices if another person has signed up with this address.
  console.log(`${email} is verified: ${firstname} ${lastname}, signed up ${createdAt.toISOString()}.`);
};

/** Adds the `accounts` commands. */
export const addAccountCommands = (program: Command): void => {
  program
    .command('accounts')
    .description('user accounts')
    .command('verify <email>')
    .description(
      'mark an email address as verified without sending an email; instance administrators need a verified address',
    )
    .action((email: string) => withMongo(() => verifyEmail(email)));
};
