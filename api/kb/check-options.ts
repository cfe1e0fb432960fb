import { isChatConfigured } from '#shared/ai/chat-model.ts';
import { invalidField } from '#shared/errors.ts';

/** Throws 422 for options of a question that need a chat model if none is configured. */
export const checkOptions = ({ use_hyde }: { use_hyde: boolean }): void => {
  if (use_hyde && !isChatConfigured())
    throw invalidField('use_hyde', 'must be false: no chat model is configured (the setting CHAT_MODEL)');
};
