import { chatConfigured } from '#shared/ai.ts';
import { engineOf } from '#shared/domain/namespaces.ts';
import { AppError } from '#shared/errors.ts';

type Asked = Record<string, unknown> | undefined;

const differing = (asked: Asked, real: Record<string, unknown>): string | undefined =>
  Object.keys(asked ?? {}).find((key) => !['', null, undefined, real[key]].includes(asked?.[key] as string));

/**
 * A caller may name the engine, embedder or provider, but not choose another one than runs here: 422 tells
 * what does (decision 46); addresses and keys are never taken from a request (attack A4).
 */
export const checkEngines = (
  id_project: string,
  namespace: { id: string },
  { engine, embedding, llm }: { engine?: Asked; embedding?: Asked; llm: string },
): void => {
  const real = engineOf({ id: namespace.id, id_project });
  for (const [field, asked] of Object.entries({ engine, embedding })) {
    const wrong = differing(asked, real[field as 'engine' | 'embedding']);
    if (wrong === undefined) continue;
    const text = `${field}.${wrong}: what runs here is ${JSON.stringify(real[field as 'engine' | 'embedding'])}`;
    throw new AppError(422, 'NOT_WHAT_RUNS', text).with({
      body: { errors: [{ path: `${field}.${wrong}`, param: field, message: text, msg: text }] },
    });
  }
  if (llm === 'openai' || (chatConfigured() && llm === 'vllm') || (chatConfigured() && llm === 'ollama')) return;
  throw new AppError(404, 'NO_INTEGRATION', `Integration ${llm} not found for project ${id_project}`);
};
