/** Settings that are valid on their own, but not together. */
import type { config } from '#shared/config.ts';

type Config = typeof config;

const CONFLICTS: [(settings: Config) => unknown, string][] = [
  [
    ({ REQUIRE_HTTPS, TRUST_PROXY }) => REQUIRE_HTTPS && !TRUST_PROXY,
    'REQUIRE_HTTPS is on without TRUST_PROXY, so every request is refused: set TRUST_PROXY=true behind a proxy that sets X-Forwarded-Proto',
  ],
  [
    ({ QDRANT_API_KEY, QDRANT_URL }) => QDRANT_API_KEY && !QDRANT_URL,
    'QDRANT_API_KEY has no effect without QDRANT_URL: set QDRANT_URL, or remove the key',
  ],
  [
    ({ EMBEDDING_MODEL, CHAT_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL }) =>
      (EMBEDDING_MODEL || CHAT_MODEL) && !OPENAI_API_KEY && !OPENAI_BASE_URL,
    'EMBEDDING_MODEL and CHAT_MODEL need a provider: set OPENAI_API_KEY or OPENAI_BASE_URL',
  ],
  [
    ({ RERANK_API_KEY, RERANK_MODEL, RERANK_BASE_URL }) => (RERANK_API_KEY || RERANK_MODEL) && !RERANK_BASE_URL,
    'RERANK_API_KEY and RERANK_MODEL have no effect without RERANK_BASE_URL: set RERANK_BASE_URL, or remove the two settings',
  ],
  [
    ({ SITUATED_CONTEXT_MODEL, CHAT_MODEL }) => SITUATED_CONTEXT_MODEL && !CHAT_MODEL,
    'SITUATED_CONTEXT_MODEL has no effect without CHAT_MODEL: set CHAT_MODEL, or remove SITUATED_CONTEXT_MODEL',
  ],
  [
    ({ CHANGES_TTL_SECONDS, WEBHOOK_RETRY_SECONDS }) => CHANGES_TTL_SECONDS < WEBHOOK_RETRY_SECONDS,
    'CHANGES_TTL_SECONDS is less than WEBHOOK_RETRY_SECONDS: events expire while their deliveries are still being retried',
  ],
  [
    ({ EMAIL_BCC, SMTP_URL }) => EMAIL_BCC && !SMTP_URL,
    'EMAIL_BCC has no effect without SMTP_URL, because emails are only written to the outbox folder',
  ],
];

/** Returns a sentence for each conflict. */
export const findConflicts = (settings: Config): string[] =>
  CONFLICTS.flatMap(([applies, text]) => (applies(settings) ? [text] : []));
