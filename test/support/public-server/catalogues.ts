/** Bots, knowledge bases, tags, canned responses, triggers and other settings of a project. */
import { randomUUID } from 'node:crypto';
import { document, nextId, type Documents } from './documents.ts';

const DAY_MS = 86_400_000;

/**
 * The bots of a project: an internal one, a published one and its published copy, one of type `identity` (which
 * represents the project itself), and a trashed one.
 */
const botsOf = (id_project: string, main: unknown, now: number) => {
  const bot = (name: string, fields: object) =>
    document(id_project, { name, type: 'internal', language: 'en', secret: randomUUID(), trashed: false, ...fields });
  const copy = bot('Flow', { type: 'tilebot', trashed: true, root_id: undefined, publishedAt: new Date(now) });
  const flow = bot('Flow', { type: 'tilebot', slug: 'flow', url: `http://flows.example.org/ext/${String(copy._id)}` });
  return [
    {
      ...bot('Helper', { slug: 'helper', agents_available: true, score: 0, certifiedTags: [], tags: ['faq'] }),
      _id: main,
    },
    flow,
    { ...copy, root_id: String(flow._id), trashedAt: undefined },
    bot('Bot', { type: 'identity' }),
    bot('Old', { trashed: true, trashedAt: new Date(now - 40 * DAY_MS) }),
  ];
};

const intentsOf = (id_project: string, bot: unknown) =>
  ['start', 'welcome', 'defaultFallback'].map((name) =>
    document(id_project, {
      ...{ id_faq_kb: String(bot), intent_id: randomUUID(), intent_display_name: name, question: name },
      ...{ answer: `The answer of ${name}`, enabled: true, webhook_enabled: false, topic: 'default', status: 'live' },
      actions: [{ _tdActionType: 'reply', _tdActionId: nextId() }],
    }),
  );

const knowledgeOf = (id_project: string, now: number): Documents => {
  const namespace = { default: true, hybrid: false, preview_settings: { model: 'gpt-4o', advancedPrompt: true } };
  const content = (type: string, source: string, fields: object = {}) =>
    document(id_project, { namespace: id_project, type, source, name: source, content: '', status: 300, ...fields });
  const sitemap = content('sitemap', 'http://127.0.0.1:9/sitemap.xml', { refresh_rate: 'never' });
  const question = (question: string, age: number, fields: object = {}) =>
    document(id_project, { namespace: id_project, question, ...fields }, now - age * DAY_MS);
  return {
    namespaces: [
      document(id_project, {
        ...namespace,
        id: id_project,
        name: 'Default',
        engine: { name: 'pinecone' },
        embedding: {},
      }),
    ],
    kbs: [
      content('text', 'Opening hours', { content: 'We are open from nine to five.', last_refresh: new Date(now) }),
      content('faq', 'Do you ship?', {
        content: 'Do you ship?\nYes.',
        tags: ['shipping'],
        last_error: { message: 'x' },
      }),
      sitemap,
      content('url', 'http://127.0.0.1:9/page', { sitemap_origin_id: String(sitemap._id), scrape_type: 2 }),
      content('xlsx-unknown', 'table'),
    ],
    kb_unanswered: [question('Do you sell cars?', 1), question('Too old?', 500)],
    kb_answered: [question('Do you ship?', 1, { answer: 'Yes.', tokens: 12 })],
  };
};

const TRIGGER = { key: 'request.create', name: 'Conversation created' };
const CONDITION = { key: 'request.status', fact: 'json', path: 'status', operator: 'equal', value: 100 };

const settingsOf = (id_project: string): Documents => ({
  integrations: [document(id_project, { name: 'openai', value: { apikey: 'sk-very-secret', organization: 'o' } })],
  subscriptions: [
    document(id_project, {
      event: 'request.create',
      target: 'http://127.0.0.1:9/hook',
      secret: randomUUID(),
      global: false,
    }),
    document(id_project, { event: 'no.such.event', target: 'http://127.0.0.1:9/hook', secret: randomUUID() }),
  ],
  triggers: [
    document(id_project, {
      ...{ name: 'Greeting', trigger: TRIGGER, conditions: { all: [CONDITION], any: [] }, enabled: true, delay: 0 },
      ...{ actions: [{ key: 'message.send', parameters: { text: 'Hello', sender: 'system' } }], code: 's_greeting' },
    }),
    document(id_project, { name: 'Unknown', trigger: TRIGGER, actions: [{ key: 'fax.send', parameters: {} }] }),
  ],
});

/** The records of a project apart from its team and its conversations. */
export const catalogueOf = (id_project: string, { bot, now }: { bot: unknown; now: number }): Documents => ({
  ...knowledgeOf(id_project, now),
  ...settingsOf(id_project),
  faq_kbs: botsOf(id_project, bot, now),
  faqs: intentsOf(id_project, bot),
  tags: [
    document(id_project, { tag: 'vip', color: '#43B1F2' }),
    document(id_project, { tag: 'refund', color: '#f00' }),
  ],
  cannedresponses: [document(id_project, { title: 'Hi', text: 'Hello $name', shared: true, status: 100 })],
  labels: [
    document(id_project, {
      data: [
        { _id: nextId(), lang: 'EN', category: 'widget', default: true, data: { YES: 'Sure', ARRAY_DAYS: ['Mon'] } },
      ],
    }),
  ],
  segments: [
    document(id_project, {
      name: 'VIP',
      match: 'all',
      filters: [{ field: 'tags', operator: '=', value: 'vip' }],
      status: 100,
    }),
  ],
  properties: [document(id_project, { label: 'Size', name: 'size', type: 'text', status: 100 })],
  events: [
    document(id_project, { name: 'new_conversation', attributes: { a: 1 }, status: 'stardard' }, now - DAY_MS),
    document(id_project, { name: 'too.old', status: 'stardard' }, now - 400 * DAY_MS),
  ],
  activities: [
    document(
      id_project,
      {
        ...{ actor: { type: 'user', id: 'someone', name: 'Someone' }, verb: 'REQUEST_CLOSE', actionObj: { a: 1 } },
        target: { type: 'request', id: 'support-group-1', object: { request_id: 'support-group-1' } },
      },
      now - DAY_MS,
    ),
  ],
  roles: [document(id_project, { name: 'reporter', permissions: ['request_read_all'] })],
  subscriptionlogs: [document(id_project, { event: 'request.create', target: 'http://127.0.0.1:9/hook' })],
});
