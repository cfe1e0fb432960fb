/** Contents to test with. */
import { randomUUID } from 'node:crypto';
import { api, type Caller } from './api.ts';

/** Body of adding a text that is like no other. */
export const aText = (namespace: string, more: object = {}) => ({
  name: 'Note',
  type: 'text',
  source: `note ${randomUUID()}`,
  content: 'The shop opens at nine in the morning.',
  namespace,
  ...more,
});

/** Body of adding a page that nobody serves. */
export const aPage = (namespace: string, more: object = {}) => ({
  name: 'Page',
  type: 'url',
  source: `http://127.0.0.1:9/${randomUUID()}`,
  content: '',
  namespace,
  ...more,
});

/** Add a content; what was stored. */
export const added = async (admin: Caller, project: string, body: object) => {
  const reply = await api(admin).post(`/v3/${project}/kb`, body);
  if (reply.status !== 200) throw new Error(`not added: ${reply.text}`);
  return reply.body.value;
};
