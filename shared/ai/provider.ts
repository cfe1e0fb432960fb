/**
 * The connection to an OpenAI-compatible provider. Its address and key come from the settings, never from a request.
 */
import type OpenAI from 'openai';
import { timeoutError } from './provider-errors.ts';
import { withRetry } from './retry.ts';

/** The address and the key of a provider, and the time limits of its calls. */
export interface ProviderSettings {
  OPENAI_BASE_URL?: string;
  OPENAI_API_KEY?: string;
  AI_TIMEOUT_SECONDS: number;
  AI_MAX_RETRY_WAIT_SECONDS: number;
}

const connect = async ({ OPENAI_BASE_URL, OPENAI_API_KEY }: ProviderSettings) => {
  const [{ OpenAI: Client }, { Agent, fetch }] = await Promise.all([import('openai'), import('undici')]);
  // The HTTP agent's own timeouts are off, because they would abort a slow answer before the deadline.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const client = new Client({
    baseURL: OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
    apiKey: OPENAI_API_KEY ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: ((url: string, init: object) => fetch(url, { ...init, dispatcher: agent })) as typeof globalThis.fetch,
  });
  return { client, agent };
};

/** The signal of one provider call, and a way to abort it. */
export interface Deadline extends Disposable {
  signal: AbortSignal;
  /** Aborts the call with this reason. */
  abort(reason: unknown): void;
}

/**
 * Starts the deadline of a call. Its signal aborts when `caller` aborts, or after `seconds` with the error that
 * `createError` returns. Dispose of the deadline when the call is over.
 */
const startDeadline = (seconds: number, createError: () => unknown, caller?: AbortSignal): Deadline => {
  const controller = new AbortController();
  const abort = (reason: unknown) => controller.abort(reason);
  const abortByCaller = () => abort(caller?.reason);
  const timer = setTimeout(() => abort(createError()), seconds * 1000);
  caller?.addEventListener('abort', abortByCaller, { once: true });
  if (caller?.aborted) abortByCaller();
  return {
    signal: controller.signal,
    abort,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abortByCaller);
    },
  };
};

/** A client of the provider. It connects on the first call. */
export class Provider {
  #settings: ProviderSettings;
  #connection: ReturnType<typeof connect> | undefined;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  /** Starts the deadline of one call, including all of its attempts. Dispose of it when the call is over. */
  deadline(caller?: AbortSignal): Deadline {
    const seconds = this.#settings.AI_TIMEOUT_SECONDS;
    return startDeadline(seconds, () => timeoutError(`more than ${seconds} s`), caller);
  }

  /**
   * Makes a call and retries transient failures within the deadline. Throws the last failure as an `AppError`, or the
   * signal's abort reason.
   */
  async call<T>(
    make: (client: OpenAI, options: { signal: AbortSignal; timeout: number }) => Promise<T>,
    signal: AbortSignal,
  ) {
    this.#connection ??= connect(this.#settings);
    const { client } = await this.#connection;
    const options = { signal, timeout: (this.#settings.AI_TIMEOUT_SECONDS + 1) * 1000 };
    return await withRetry(() => make(client, options), {
      signal,
      maxWaitSeconds: this.#settings.AI_MAX_RETRY_WAIT_SECONDS,
    });
  }

  /** Closes the connections. */
  async close() {
    await (await this.#connection)?.agent.destroy();
  }
}
