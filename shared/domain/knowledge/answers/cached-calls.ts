/**
 * Keeps texts that the chat model has written for questions with `use_cache`. A text is found only for an identical
 * request for the same namespace. A search is made for each question, and the request contains the chunks found, so
 * a change to the contents takes effect immediately.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { config } from '../../../config.ts';
import { type CallContext, callModel, type ModelCall, type ModelRequest } from './model-calls.ts';

/** Maximum total length of the kept texts of a process: about 16 MB. */
const MAX_CHARACTERS = 8_000_000;
const TTL_MS = 3_600_000;

/** The context of a call whose text is kept if `cacheNamespace` is set. */
export interface CachedCallContext extends CallContext {
  /** The namespace whose kept texts may be reused. If it is absent, the text is neither looked up nor kept. */
  cacheNamespace?: string;
}

type ModelText = ModelCall & { text: string };

let texts: LRUCache<string, Pick<ModelText, 'text' | 'model'>> | undefined;

const keyOf = ({ model, ...request }: ModelRequest, { project, cacheNamespace }: CachedCallContext): string =>
  hash('sha256', JSON.stringify([project, cacheNamespace, model || config.CHAT_MODEL, request]));

/** Returns the kept text of an identical request, with token counts of 0; undefined if none is kept. */
export const findText = (request: ModelRequest, context: CachedCallContext): ModelText | undefined => {
  const kept = context.cacheNamespace ? texts?.get(keyOf(request, context)) : undefined;
  return kept && { ...kept, tokens: { prompt: 0, completion: 0 } };
};

/** Keeps the text that the model has written for a request: for an hour, or until newer texts need the room. */
export const keepText = (request: ModelRequest, context: CachedCallContext, { text, model }: ModelText): void => {
  if (!context.cacheNamespace) return;
  texts ??= new LRUCache({ maxSize: MAX_CHARACTERS, ttl: TTL_MS, sizeCalculation: ({ text }) => text.length + 1 });
  texts.set(keyOf(request, context), { text, model });
};

/** Returns the kept text of an identical request, or else calls the model and keeps its text unless it is empty. */
export const callModelOrCache = async (request: ModelRequest, context: CachedCallContext): Promise<ModelText> => {
  const kept = findText(request, context);
  if (kept) return kept;
  const call = await callModel(request, context);
  if (call.text) keepText(request, context, call);
  return call;
};
