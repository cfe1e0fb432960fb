/** `npm run cli -- roles` */
import type { Command } from 'commander';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { table } from './print.ts';

const programsOf = ({ bots }: Endpoint): string => {
  if (!bots) return '';
  return bots === true ? 'bot, subscription' : 'subscription';
};

const rowOf = (endpoint: Endpoint): string[] => {
  const { method, path, role, aliases = [] } = endpoint;
  const others = aliases.map((alias) => `${(alias.method ?? method).toUpperCase()} ${alias.path ?? path}`);
  return [method.toUpperCase(), path, role, programsOf(endpoint), others.join(', ')];
};

const list = async (): Promise<void> => {
  // Here alone: no other command needs the API.
  const { endpoints } = await import('../../api/resources.ts');
  console.log(table([['method', 'path', 'least role', 'programs', 'also as'], ...endpoints.map(rowOf)]));
};

/** Who may call what. */
export const addRoles = (program: Command): void => {
  program
    .command('roles')
    .description('the least role of every endpoint, as the code has it; none: no credentials, any: no membership')
    .action(list);
};
