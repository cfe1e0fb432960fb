/** The connection to an OpenAI-compatible provider. Address and key come from the settings, never from a request. */
import type OpenAI from 'openai';
import { type Deadline, deadline } from './deadline.ts';
import { timedOut } from './failure.ts';
import { persist } from './retry.ts';

/** Where the provider is and how long it may take, in seconds. */
export interface ProviderSettings {
  OPENAI_BASE_URL?: string;
  OPENAI_API_KEY?: string;
  AI_TIMEOUT: number;
  AI_MAX_RETRY_WAIT: number;
}

const connect = async ({ OPENAI_BASE_URL, OPENAI_API_KEY }: ProviderSettings) => {
  const [{ OpenAI: Client }, { Agent, fetch }] = await Promise.all([import('openai'), import('undici')]);
  // Our deadline rules: the agent's own time-outs would end a slow model's answer before it.
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

/** A provider; connects at the first call. */
export class Provider {
  #settings: ProviderSettings;
  #connection: ReturnType<typeof connect> | undefined;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  /** The time one call may take; dispose it when the call is over. */
  deadline(caller?: AbortSignal): Deadline {
    const seconds = this.#settings.AI_TIMEOUT;
    return deadline(seconds, () => timedOut(`more than ${seconds} s`), caller);
  }

  /** Make a call under the retry rules; passes by itself within the deadline. */
  async call<T>(
    make: (client: OpenAI, options: { signal: AbortSignal; timeout: number }) => Promise<T>,
    signal: AbortSignal,
  ) {
    this.#connection ??= connect(this.#settings);
    const { client } = await this.#connection;
    const options = { signal, timeout: (this.#settings.AI_TIMEOUT + 1) * 1000 };
    return await persist(() => make(client, options), { signal, maxWait: this.#settings.AI_MAX_RETRY_WAIT });
  }

  /** Drop the connections. */
  async close() {
    await (await this.#connection)?.agent.destroy();
  }
}
