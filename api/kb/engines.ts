import { chatConfigured, chatModels } from '#shared/ai.ts';
import { engineOf } from '#shared/domain/knowledge/namespaces.ts';
import { AppError } from '#shared/errors.ts';

type Asked = Record<string, unknown> | null | undefined;

const NOTHING: unknown[] = ['', null, undefined];

const differing = (asked: Asked, real: Record<string, unknown>): string | undefined =>
  Object.entries(asked ?? {}).find(([key, value]) => !NOTHING.includes(value) && value !== real[key])?.[0];

const checkOne = (field: 'engine' | 'embedding', asked: Asked, real: Record<string, unknown>): void => {
  const wrong = differing(asked, real);
  if (wrong === undefined) return;
  const path = `${field}.${wrong}`;
  const message = `${path}: what runs here is ${JSON.stringify(real)}`;
  const errors = [{ path, code: 'not_what_runs', message, param: path, msg: message, location: 'body' }];
  throw new AppError(422, 'NOT_WHAT_RUNS', message).with({ body: { errors } });
};

/** Providers that run on servers of the operator's own. */
const OWN_SERVERS = ['ollama', 'vllm'];

/** The provider of the settings speaks for itself; any other is not set up here (contract c 3.5). */
const checkProvider = (llm: string, project: string): void => {
  if (llm === 'openai') return;
  if (!OWN_SERVERS.includes(llm))
    throw new AppError(404, 'NO_INTEGRATION', `Integration ${llm} not found for project ${project}`);
  if (!chatConfigured()) throw new AppError(422, 'NO_INTEGRATION', `${llm} integration not found`);
};

/** 422 for a model that is not one of those allowed here; without a chat model the name is of no account. */
export const checkModel = (path: string, model: unknown): void => {
  if (NOTHING.includes(model) || !chatConfigured() || chatModels().includes(String(model))) return;
  const message = `${path} must be one of: ${chatModels().join(', ')} (the settings CHAT_MODEL and CHAT_MODELS)`;
  const value = String(model).slice(0, 200);
  const errors = [{ path, code: 'not_allowed', message, param: path, msg: message, location: 'body', value }];
  throw new AppError(422, 'INVALID', message).with({ body: { errors } });
};

/**
 * A caller may name the engine, embedder or provider, but not choose another one than runs here: 422 tells
 * what does (decision 46); addresses and keys are never taken from a request (attack A4).
 */
export const checkEngines = (
  namespace: { id: string; id_project: string },
  { engine, embedding, llm, model }: { engine?: Asked; embedding?: Asked; llm: string; model?: string | null },
): void => {
  const real = engineOf(namespace);
  checkOne('engine', engine, real.engine);
  checkOne('embedding', embedding, real.embedding);
  checkProvider(llm, namespace.id_project);
  checkModel('model', model);
};
