/** Checks that the engine, embedder, provider and model that a question requests match this installation. */
import { chatModels, isChatConfigured } from '#shared/ai/chat-model.ts';
import { engineOf } from '#shared/domain/knowledge/namespaces.ts';
import { AppError, invalidParameter } from '#shared/errors.ts';

type EngineChoice = Record<string, unknown> | null | undefined;

const EMPTY_VALUES: unknown[] = ['', null, undefined];

const firstDifference = (choice: EngineChoice, installed: Record<string, unknown>): string | undefined =>
  Object.entries(choice ?? {}).find(([key, value]) => !EMPTY_VALUES.includes(value) && value !== installed[key])?.[0];

const checkChoice = (field: 'engine' | 'embedding', choice: EngineChoice, installed: Record<string, unknown>): void => {
  const wrongField = firstDifference(choice, installed);
  if (wrongField === undefined) return;
  const path = `${field}.${wrongField}`;
  const message = `${path} must be omitted or match this installation: ${JSON.stringify(installed)}`;
  const errors = [{ path, code: 'engine_not_selectable', message, param: path, msg: message, location: 'body' }];
  throw new AppError(422, 'ENGINE_NOT_SELECTABLE', message).with({ body: { errors } });
};

/** Providers that run on the installation's own servers. */
const SELF_HOSTED_PROVIDERS = ['ollama', 'vllm'];

/** Throws 404 unless the provider is `openai` or self-hosted, and 422 if it is self-hosted but no chat model is set. */
const checkProvider = (llm: string, project: string): void => {
  if (llm === 'openai') return;
  if (!SELF_HOSTED_PROVIDERS.includes(llm))
    throw new AppError(404, 'INTEGRATION_NOT_FOUND', `Integration ${llm} not found for project ${project}`);
  if (!isChatConfigured()) throw new AppError(422, 'INTEGRATION_NOT_FOUND', `${llm} integration not found`);
};

/** Throws 422 for a model that the settings do not allow. If no chat model is configured, accepts any name. */
export const checkModel = (path: string, model: unknown): void => {
  if (EMPTY_VALUES.includes(model) || !isChatConfigured() || chatModels().includes(String(model))) return;
  const message = `${path} must be one of: ${chatModels().join(', ')} (the settings CHAT_MODEL and CHAT_MODELS)`;
  const value = String(model).slice(0, 200);
  throw invalidParameter({ path, message, location: 'body', code: 'not_allowed', value });
};

/**
 * Throws 422 for an engine, embedder or model other than those of this installation, and 404 or 422 for a provider that
 * is not configured. Server addresses and keys are never taken from a request.
 */
export const checkEngines = (
  namespace: { id: string; id_project: string },
  {
    engine,
    embedding,
    llm,
    model,
  }: { engine?: EngineChoice; embedding?: EngineChoice; llm: string; model?: string | null },
): void => {
  const installed = engineOf(namespace);
  checkChoice('engine', engine, installed.engine);
  checkChoice('embedding', embedding, installed.embedding);
  checkProvider(llm, namespace.id_project);
  checkModel('model', model);
};
