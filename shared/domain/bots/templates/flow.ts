/** Templates of all subtypes of bots except `chatbot`. External engines run the intents of these bots. */
import type { IntentFields } from '../insert-intents.ts';
import { DEFAULT_INTENT, jumpAction, replyAction, START_QUESTION } from './chat.ts';

const jsonAction = (id: string, body: object) => ({
  _tdActionType: 'web_response',
  _tdActionId: id,
  status: 200,
  bodyType: 'json',
  payload: JSON.stringify(body),
});

const webhook: IntentFields[] = [
  { intent_display_name: 'webhook', topic: 'internal', actions: [jumpAction('webhook-jump', 'response')] },
  { intent_display_name: 'response', actions: [jsonAction('response-json', { message: 'Hello' })] },
];

const voice: IntentFields[] = [
  {
    intent_display_name: 'start',
    question: START_QUESTION,
    topic: 'internal',
    actions: [jumpAction('start-jump', 'welcome')],
  },
  {
    intent_display_name: 'welcome',
    actions: [{ ...replyAction('welcome-prompt', 'Hello, how can I help you?'), _tdActionType: 'play_prompt' }],
  },
  {
    intent_display_name: DEFAULT_INTENT,
    question: DEFAULT_INTENT,
    topic: 'internal',
    actions: [{ ...replyAction('fallback-prompt', 'Sorry, could you repeat that?'), _tdActionType: 'play_prompt' }],
  },
  { intent_display_name: 'close', topic: 'internal', actions: [{ _tdActionType: 'close', _tdActionId: 'close' }] },
];

/** The templates by name. */
export const FLOW_TEMPLATES: Record<string, IntentFields[]> = {
  blank_webhook: webhook,
  blank_copilot: webhook,
  blank_voice: voice,
  blank_voice_twilio: voice,
};

/** Returns the intents of a copilot: a bot that helps agents by suggesting replies from a knowledge base. */
export const officialCopilot = (namespace?: string): IntentFields[] => [
  {
    intent_display_name: 'webhook',
    topic: 'internal',
    actions: [
      {
        _tdActionType: 'askgptv2',
        _tdActionId: 'ask-knowledge-base',
        ...(namespace && { namespace }),
        question: '{{lastUserText}}',
        assignReplyTo: 'kb_reply',
        trueIntent: 'suggestion',
        falseIntent: 'no_suggestion',
      },
    ],
  },
  { intent_display_name: 'suggestion', actions: [jsonAction('suggestion-json', { text: '{{kb_reply}}' })] },
  { intent_display_name: 'no_suggestion', actions: [jsonAction('no-suggestion-json', { text: '' })] },
];
