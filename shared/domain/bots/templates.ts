/** The intents that new bots start with. */
import type { IntentFields } from './insert-intents.ts';
import { CHAT_TEMPLATES } from './templates/chat.ts';
import { FLOW_TEMPLATES, officialCopilot } from './templates/flow.ts';

/** The templates of chat bots; the first is the default. */
const CHATBOT_TEMPLATES = ['example', 'blank', 'handoff', 'empty'];
/** The templates of each subtype of bots; the first is the default. */
const TEMPLATES_BY_SUBTYPE: Record<string, string[]> = {
  chatbot: CHATBOT_TEMPLATES,
  webhook: ['blank_webhook', 'empty'],
  copilot: ['official_copilot', 'blank_copilot', 'empty'],
  voice: ['blank_voice', 'empty'],
  voice_twilio: ['blank_voice_twilio', 'empty'],
};

/** Selects the template of a new bot. */
interface TemplateChoice {
  /** Default: `chatbot`. */
  subtype?: string;
  /** The name of a template. Default, also for an unknown name: the first template of the subtype. */
  template?: string;
  /** The knowledge base that the bot queries. */
  namespace?: string;
}

const isDefaultIntent = ({ intent_display_name }: IntentFields): boolean => intent_display_name === 'defaultFallback';

/** Makes the default intent, which replies if no other intent matches, query a knowledge base first. */
const withKnowledgeBase = (intents: IntentFields[], namespace: string): IntentFields[] => {
  const askAction = { _tdActionType: 'askgptv2', _tdActionId: 'ask-knowledge-base', namespace };
  return intents.map((intent) =>
    isDefaultIntent(intent) ? { ...intent, actions: [askAction, ...(intent.actions ?? [])] } : intent,
  );
};

const allTemplates: Record<string, IntentFields[]> = { ...CHAT_TEMPLATES, ...FLOW_TEMPLATES, empty: [] };

/** Returns the intents of a template. With a `namespace`, the default intent queries that knowledge base first. */
export const templateIntents = ({ subtype = 'chatbot', template = '', namespace }: TemplateChoice): IntentFields[] => {
  const names = TEMPLATES_BY_SUBTYPE[subtype] ?? CHATBOT_TEMPLATES;
  const name = names.includes(template) ? template : (names[0] ?? '');
  if (name === 'official_copilot') return officialCopilot(namespace);
  const intents = allTemplates[name] ?? [];
  return namespace ? withKnowledgeBase(intents, namespace) : intents;
};
