/** Templates of chat bots. */
import type { IntentFields } from '../insert-intents.ts';

/** The question of the intent with which a conversation with a bot starts. */
export const START_QUESTION = '\\start';
/** The name and the question of the intent that replies if no other intent matches. */
export const DEFAULT_INTENT = 'defaultFallback';

const DEFAULT_INTENT_REPLY = "Sorry, I didn't understand that. Could you put it another way?";

/** Returns an action that sends a text message. */
export const replyAction = (id: string, text: string) => ({
  _tdActionType: 'reply',
  _tdActionId: id,
  text,
  attributes: { commands: [{ type: 'message', message: { type: 'text', text } }] },
});

/** Returns an action that continues with another intent. */
export const jumpAction = (id: string, intentName: string) => ({
  _tdActionType: 'intent',
  _tdActionId: id,
  intentName,
});

const blank: IntentFields[] = [
  {
    intent_display_name: 'start',
    question: START_QUESTION,
    topic: 'internal',
    actions: [jumpAction('start-jump', 'welcome')],
  },
  {
    intent_display_name: 'welcome',
    actions: [replyAction('welcome-reply', 'Hello, nice to meet you! How can I help?')],
  },
  {
    intent_display_name: DEFAULT_INTENT,
    question: DEFAULT_INTENT,
    topic: 'internal',
    actions: [replyAction('fallback-reply', DEFAULT_INTENT_REPLY)],
  },
];

const handoff: IntentFields[] = [
  {
    intent_display_name: 'start',
    question: START_QUESTION,
    topic: 'internal',
    answer: 'Hello! Ask me anything, or ask for an agent at any time.',
  },
  {
    intent_display_name: 'agent_handoff',
    question: '👨🏻‍🦰 I want an agent\nI want to talk to a person\nConnect me with an agent\nCustomer service please',
    topic: 'internal',
    answer: 'One moment, please. I am looking for an agent.\n\\agent',
  },
  {
    intent_display_name: DEFAULT_INTENT,
    question: DEFAULT_INTENT,
    topic: 'internal',
    answer: `${DEFAULT_INTENT_REPLY}\n* ↩︎ Back to start tdAction:start\n* See the docs https://example.com/docs\n* 👨🏻‍🦰 I want an agent`,
  },
];

const example: IntentFields[] = [
  {
    intent_display_name: 'start',
    question: START_QUESTION,
    topic: 'internal',
    answer:
      'Hi! I am a sample bot. What would you like to see?\n* What can you do?\n* Who are you?\n* Sample Image\n* Where are you?',
  },
  { question: 'Hi\nHey\nGood morning', topic: 'greetings', answer: 'Hi there! What can I do for you?' },
  { question: 'Hello\nGood evening', topic: 'greetings', answer: 'Hello! How can I help?' },
  {
    question: 'Who are you?\nAre you a bot?',
    topic: 'greetings',
    answer:
      "tdImage,w200 h200:https://example.com/bot.png\nI am a bot. I'm available around the clock.\n* What can you do?\n* 👨🏻‍🦰 I want an agent",
  },
  {
    intent_display_name: 'agent_handoff',
    question: '👨🏻‍🦰 I want an agent\nI want to talk to a person',
    topic: 'internal',
    answer: 'I am passing you on to my human colleagues.\n\\agent',
  },
  { question: 'Close\nResolved', topic: 'internal', answer: 'Glad that I could help. Goodbye!\n\\close' },
  {
    intent_display_name: DEFAULT_INTENT,
    question: DEFAULT_INTENT,
    topic: 'internal',
    answer: `${DEFAULT_INTENT_REPLY}\n* What can you do?\n* 👨🏻‍🦰 I want an agent`,
  },
  {
    question: 'What can you do?\nWhat are your features?',
    topic: 'sample',
    answer:
      'I can send text messages, images, pages, videos and buttons.\n* Sample Image\n* Sample Frame\n* Sample Video\n* Sample Action',
  },
  {
    question: 'Sample Image\nShow me an image',
    topic: 'sample',
    answer: 'Here is an image.\ntdImage,w300 h200:https://example.com/sample.png\n* What can you do?',
  },
  {
    question: 'Sample Frame\nShow me a page',
    topic: 'sample',
    answer: 'Here is a page.\ntdFrame,w300 h200:https://example.com/\n* What can you do?',
  },
  {
    question: 'Sample Video\nShow me a video',
    topic: 'sample',
    answer: 'Here is a video.\ntdVideo,w300 h200:https://example.com/sample.mp4\n* What can you do?',
  },
  {
    question: 'Where are you?\nWhat is your address?',
    topic: 'sample',
    answer:
      'You can find us here.\ntdFrame,w300 h200:https://www.openstreetmap.org/export/embed.html\n* What can you do?',
  },
  {
    intent_display_name: 'action1',
    question: 'Sample Action',
    topic: 'sample',
    answer: 'Do you like buttons?\n* Yes tdAction:yes_action\n* No tdAction:no_action',
  },
  { intent_display_name: 'yes_action', topic: 'sample', answer: 'So do I.' },
  { intent_display_name: 'no_action', topic: 'sample', answer: 'Then just write to me.' },
];

/** The templates by name. */
export const CHAT_TEMPLATES: Record<string, IntentFields[]> = { blank, handoff, example };
