/** The introduction of the API reference: what an integrator needs to know before the first call. */
import { readFileSync } from 'node:fs';
import { config } from '#shared/config.ts';
import { statusDocs } from '../conversations/status-docs.ts';
import { pointsPerMinute } from '../http/limits/rate-limit.ts';

const values: Record<string, string | number> = {
  url: config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`,
  token: pointsPerMinute('token'),
  principal: pointsPerMinute('principal'),
  visitors: pointsPerMinute('visitors'),
  project: pointsPerMinute('project'),
  signin: pointsPerMinute('signin'),
  body: config.JSON_BODY_LIMIT,
  bulk: config.BULK_BODY_LIMIT,
};

const template = readFileSync(new URL('./assets/introduction.md', import.meta.url), 'utf8');

const fillIn = (_: string, name: string): string => {
  const value = values[name];
  if (value === undefined) throw new Error(`assets/introduction.md: {{${name}}} has no value`);
  return value.toLocaleString('en');
};

/** The introduction as Markdown, with the limits of this installation and the statuses of a conversation. */
export const introduction = template.replaceAll(/\{\{(\w+)\}\}/g, fillIn) + statusDocs;
