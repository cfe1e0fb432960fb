/** Request bodies for contents. */
import { randomUUID } from 'node:crypto';
import { api, type Caller } from './api.ts';

/** The request body for a unique text content. */
export const aTextBody = (namespace: string, more: object = {}) => ({
  name: 'Note',
  type: 'text',
  source: `note ${randomUUID()}`,
  content: 'The shop opens at nine in the morning.',
  namespace,
  ...more,
});

/** The request body for a unique page content whose address refuses connections. */
export const aPageBody = (namespace: string, more: object = {}) => ({
  name: 'Page',
  type: 'url',
  source: `http://127.0.0.1:9/${randomUUID()}`,
  content: '',
  namespace,
  ...more,
});

/** Adds a content and returns it from the response. Throws if the API refuses it. */
export const addContent = async (admin: Caller, project: string, body: object) => {
  const reply = await api(admin).post(`/v3/${project}/kb`, body);
  if (reply.status !== 200) throw new Error(`not added: ${reply.text}`);
  return reply.body.value;
};
