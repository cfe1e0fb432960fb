/** `npm run cli -- roles` */
import type { Command } from 'commander';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { formatTable } from './print.ts';

const programAccess = ({ programs }: Endpoint): string => {
  if (!programs) return '';
  return programs === 'all' ? 'bot, subscription' : 'subscription';
};

const rowOf = (endpoint: Endpoint): string[] => {
  const { method, path, role, aliases = [] } = endpoint;
  const others = aliases.map((alias) => `${(alias.method ?? method).toUpperCase()} ${alias.path ?? path}`);
  return [method.toUpperCase(), path, role, programAccess(endpoint), others.join(', ')];
};

const listRoles = async (): Promise<void> => {
  // Imported here, because no other command needs the API.
  const { endpoints } = await import('../../api/resources.ts');
  console.log(
    formatTable([['method', 'path', 'minimum role', 'bots and subscriptions', 'aliases'], ...endpoints.map(rowOf)]),
  );
};

/** Adds the `roles` command. */
export const addRoleCommand = (program: Command): void => {
  program
    .command('roles')
    .description(
      'list the minimum role of every endpoint; none: no credentials needed, any: no membership needed, instance-admin: only accounts in OPERATORS',
    )
    .action(listRoles);
};
