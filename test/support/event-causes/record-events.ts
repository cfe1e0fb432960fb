/** The events of bots, intents, knowledge bases, labels, files, integrations and triggers. */
import { randomUUID } from 'node:crypto';
import { aPageBody, aTextBody } from '../content-bodies.ts';
import type { EventCause } from './scene.ts';

const unique = (name: string): string => `${name} ${randomUUID()}`;

export const recordEvents: EventCause[] = [
  {
    operation: 'an admin creates, changes, publishes and deletes a bot',
    events: ['faqbot.create', 'faqbot.created', 'faqbot.update', 'faqbot.publish', 'faqbot.delete', 'faqbot.deleted'],
    cause: async ({ call, admin, project }) => {
      const { _id } = await call(admin, 'POST', 'bots', { name: unique('Robbie'), template: 'empty' });
      await call(admin, 'PUT', `bots/${_id}`, { description: 'Helps' });
      const { bot_id } = await call(admin, 'PUT', `bots/${_id}/publish`, { release_note: 'First' });
      await call(admin, 'DELETE', `bots/${_id}`);
      const [bot, changed] = [
        { _id, id_project: project },
        { _id, description: 'Helps' },
      ];
      return {
        ...{ 'faqbot.create': bot, 'faqbot.created': { chatbot: bot }, 'faqbot.update': bot },
        'faqbot.publish': { chatbot: bot, publishedBotId: bot_id, release_note: 'First' },
        ...{ 'faqbot.delete': changed, 'faqbot.deleted': { chatbot: changed } },
      };
    },
  },
  {
    operation: 'an admin creates, changes and deletes an intent',
    events: ['faq.create', 'faq.update', 'faq.delete'],
    cause: async ({ call, admin }) => {
      const bot = await call(admin, 'POST', 'bots', { name: unique('Robbie'), template: 'empty' });
      const intent = { id_faq_kb: bot._id, question: 'When?', answer: 'Now' };
      const { _id } = await call(admin, 'POST', 'faq', intent);
      await call(admin, 'PUT', `faq/${_id}`, { ...intent, answer: 'Later' });
      await call(admin, 'DELETE', `faq/${_id}`);
      return { 'faq.create': { _id }, 'faq.update': { _id }, 'faq.delete': { _id, answer: 'Later' } };
    },
  },
  {
    operation: 'an admin creates, renames, empties and deletes a knowledge base',
    events: ['kb.namespace.create', 'kb.namespace.update', 'kb.contents.delete', 'kb.namespace.delete'],
    cause: async ({ call, admin, project: id_project }) => {
      const { id } = await call(admin, 'POST', 'kb/namespace', { name: 'Shop' });
      await call(admin, 'PUT', `kb/namespace/${id}`, { name: 'Store' });
      await call(admin, 'POST', 'kb', aTextBody(id));
      await call(admin, 'DELETE', `kb/namespace/${id}?contents_only=true`);
      await call(admin, 'DELETE', `kb/namespace/${id}`);
      return {
        'kb.namespace.create': { id },
        'kb.namespace.update': { id },
        'kb.contents.delete': { id_project, namespace: id, count: 1, deleteMode: 'contents_only' },
        'kb.namespace.delete': { id, name: 'Store', count: 0 },
      };
    },
  },
  {
    operation: 'contents are added, indexed and deleted; others fail or wait for their server',
    events: [
      ...['kb.contents.add', 'kb.content.progress', 'kb.content.indexed', 'kb.content.failed', 'kb.content.waiting'],
      ...['kb.content.delete', 'kb.import.progress'],
    ],
    cause: async ({ call, admin, project, failingUrl }) => {
      const add = async (body: object) => (await call(admin, 'POST', 'kb', body)).value;
      const indexed = await add(aTextBody(project, { source: unique('indexed'), name: unique('Indexed') }));
      const failed = await add(aPageBody(project, { source: 'http://10.0.0.1/' }));
      const waiting = await add(aPageBody(project, { source: failingUrl }));
      const deleted = await add(aTextBody(project, { source: unique('deleted'), name: unique('Deleted') }));
      await call(admin, 'DELETE', `kb/${deleted._id}`);
      const list = ['http://10.0.0.1/one', 'http://10.0.0.1/two'];
      const [page] = await call(admin, 'POST', `kb/multi?namespace=${project}`, { list });
      const added = { id_project: project, namespace: project, count: 1, contentAddType: 'content', type: 'text' };
      return {
        'kb.contents.add': { ...added, source: deleted.source },
        'kb.content.progress': { _id: indexed._id },
        'kb.content.indexed': { _id: indexed._id, status: 300 },
        'kb.content.failed': { _id: failed._id, status: 400 },
        'kb.content.waiting': { _id: waiting._id },
        'kb.content.delete': { _id: deleted._id },
        'kb.import.progress': { _id: page.import_id, total: 2, failed: 2 },
      };
    },
  },
  {
    operation: 'an admin creates, changes, copies and deletes labels',
    events: ['label.create', 'label.update', 'label.clone', 'label.delete'],
    cause: async ({ call, admin, project }) => {
      await call(admin, 'POST', 'labels', { lang: 'EN', data: { YES: 'Yes' } });
      await call(admin, 'POST', 'labels/default/clone', { lang: 'IT' });
      await call(admin, 'PATCH', 'labels/IT/default');
      await call(admin, 'DELETE', 'labels/EN');
      const labels = { id_project: project };
      return { 'label.create': labels, 'label.update': labels, 'label.clone': labels, 'label.delete': labels };
    },
  },
  {
    operation: 'a teammate uploads a file and deletes it',
    events: ['file.create', 'file.delete'],
    cause: async ({ call, admin }) => {
      const form = new FormData();
      form.append('file', new File(['text'], 'note.txt', { type: 'text/plain' }));
      const { filename } = await call(admin, 'POST', 'files/assets', form);
      const path = decodeURIComponent(filename);
      await call(admin, 'DELETE', `files?path=${encodeURIComponent(path)}`);
      return { 'file.create': { path }, 'file.delete': { path } };
    },
  },
  {
    operation: 'an admin creates, disables and deletes a subscription',
    events: ['subscription.create', 'subscription.update', 'subscription.delete'],
    cause: async ({ call, admin, acceptingUrl: target }) => {
      const { _id } = await call(admin, 'POST', 'subscriptions', { event: 'lead.create', target });
      await call(admin, 'PUT', `subscriptions/${_id}`, { enabled: false });
      await call(admin, 'DELETE', `subscriptions/${_id}`);
      return {
        'subscription.create': { _id },
        'subscription.update': { _id },
        'subscription.delete': { _id, event: 'lead.create', target, enabled: false },
      };
    },
  },
  {
    operation: 'an admin stores and changes an integration',
    events: ['integration.update'],
    cause: async ({ call, admin }) => {
      const { _id } = await call(admin, 'POST', 'integration', { name: unique('crm'), value: { apikey: 'secret' } });
      const value = { apikey: '', url: 'https://crm.example.com' };
      await call(admin, 'PUT', `integration/${_id}`, { value });
      return { 'integration.update': { _id, value } };
    },
  },
  {
    operation: 'an admin creates, renames and deletes a trigger',
    events: ['trigger.create', 'trigger.update', 'trigger.delete'],
    cause: async ({ call, admin }) => {
      const trigger = {
        ...{ name: 'Tag', description: '', trigger: { key: 'request.create', name: 'New conversation' } },
        conditions: { all: [] },
        actions: [{ key: 'request.tags.add', parameters: { tag: 'chat' } }],
      };
      const { _id } = await call(admin, 'POST', 'modules/triggers', trigger);
      await call(admin, 'PUT', `modules/triggers/${_id}`, { ...trigger, name: 'Renamed', enabled: false });
      await call(admin, 'DELETE', `modules/triggers/${_id}`);
      return { 'trigger.create': { _id }, 'trigger.update': { _id }, 'trigger.delete': { _id, name: 'Renamed' } };
    },
  },
];
