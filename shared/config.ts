/** Every setting of the system, from the environment. The README's table is made from this schema. */
import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import {
  amount,
  count,
  emails,
  flag,
  geoipFile,
  list,
  milliseconds,
  mongodbUri,
  port,
  redisUrl,
  secret,
  seconds,
  sender,
  smtpUrl,
  webUrl,
} from './settings/kinds.ts';
import { misspelt, readSettings } from './settings/reading.ts';

export const Settings = z.object({
  NODE_ENV: z.string().default('production').describe('`test` in the suite'),
  HOST: z.string().default('127.0.0.1').describe('Address the API listens on'),
  PORT: port.default(3000).describe('Port of the API; 0 takes a free one'),
  PUBLIC_URL: webUrl.optional().describe('Address clients use, for links; otherwise `http://HOST:PORT`'),
  DATA_DIR: z.string().default('.data').describe('Folder of everything kept on this host'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least level that is logged'),
  MONGODB_URI: mongodbUri
    .default('mongodb://127.0.0.1:27017/support-chat?directConnection=true')
    .describe('MongoDB, a replica set (of one node at least)'),
  REDIS_URL: redisUrl
    .default('redis://127.0.0.1:6379')
    .describe('Redis with `appendonly yes` and `maxmemory-policy noeviction`'),
  REDIS_UNSAFE: flag.default(false).describe('Start on a Redis that may lose jobs'),
  QUEUE_PREFIX: z.string().default('support-chat').describe('Prefix of every key in Redis'),
  QDRANT_URL: webUrl.optional().describe('Qdrant server; otherwise LanceDB in `DATA_DIR` (one host)'),
  QDRANT_API_KEY: z.string().optional().describe('Key of the Qdrant server'),
  JWT_SECRET: secret.optional().describe('Signs sign-in tokens; otherwise random and kept in `DATA_DIR`'),
  TOKEN_TTL: seconds.default(30 * 86_400).describe('Life of a sign-in token, in seconds'),
  GUEST_TOKEN_TTL: seconds.default(365 * 86_400).describe('Life of an anonymous sign-in token, in seconds'),
  PASSWORD_MIN_LENGTH: count.default(8).describe('Least length of a password'),
  SIGNUP: z.enum(['open', 'invite', 'closed']).default('open').describe('Who may sign up'),
  INVITATIONS: z
    .enum(['verified', 'trusting'])
    .optional()
    .describe(
      'Who accepts an invitation: only an account that has proved its e-mail, or any account with that e-mail; otherwise `verified` with `SMTP_URL`, and `trusting` without it',
    ),
  OPERATORS: emails
    .default([])
    .describe(
      'E-mails of the operators of this instance, by commas, of verified accounts; by itself the owner of the first start',
    ),
  WIRE_PROFILE: z
    .enum(['specification', 'deployed-clients'])
    .default('specification')
    .describe('Shape of the few answers on which the sources disagree'),
  RATE_LIMIT_POINTS: count.default(300).describe('Requests a minute and token (address without one)'),
  PRINCIPAL_LIMIT_POINTS: count
    .optional()
    .describe('Requests a minute and principal, over all its tokens; otherwise 2 times `RATE_LIMIT_POINTS`'),
  VISITORS_LIMIT_POINTS: count
    .optional()
    .describe('Requests a minute of all visitors of one network; otherwise 4 times `RATE_LIMIT_POINTS`'),
  PROJECT_LIMIT_POINTS: count
    .optional()
    .describe(
      'Requests a minute and project, of its team and of its visitors apart; otherwise 20 times `RATE_LIMIT_POINTS`',
    ),
  TOKEN_ISSUE_LIMIT_POINTS: count
    .optional()
    .describe('Tokens issued a minute and principal; otherwise a tenth of `RATE_LIMIT_POINTS`'),
  SIGNIN_LIMIT_POINTS: count.default(20).describe('Sign-in attempts a minute and address'),
  STREAMS_PER_PRINCIPAL: count
    .default(5)
    .describe('Streams and long waits that a principal may hold open at once, in each API process'),
  STREAMS_PER_NETWORK: count.default(50).describe('The same of all callers of one network'),
  RESPONSE_TIMEOUT: seconds
    .default(60)
    .describe('Seconds after which a response is aborted whose reader takes nothing of it'),
  TRUST_PROXY: flag.default(false).describe('Believe `X-Forwarded-*` of the proxy in front'),
  REQUIRE_HTTPS: flag.default(false).describe('Refuse plain calls (needs `TRUST_PROXY`)'),
  JSON_BODY_LIMIT: count.default(500_000).describe('Bytes of a JSON body'),
  BULK_BODY_LIMIT: count.default(5_000_000).describe('Bytes of the body of a bulk call'),
  TRIAL_MODE: flag.default(false).describe('Compute trial expiry from `profile.trialDays`'),
  QUESTION_TTL: seconds.default(90 * 86_400).describe('Seconds an unanswered question is kept'),
  FETCH_ALLOW: list
    .default([])
    .describe('Private targets the crawler may reach, as `host:port` or `CIDR:port`, by commas'),
  FETCH_TIMEOUT: seconds.default(15).describe('Seconds one page may take, redirects included'),
  FETCH_MAX_BYTES: count.default(5_000_000).describe('Bytes of one page, decoded'),
  FETCH_MAX_REDIRECTS: count.default(5).describe('Redirects followed'),
  FETCH_HOST_CONCURRENCY: count.default(4).describe('Requests at once to one host, over all workers'),
  FETCH_HOST_DELAY: milliseconds
    .default(0)
    .describe('Milliseconds between two requests to one host, where robots.txt asks for none'),
  FETCH_USER_AGENT: z.string().default('SupportChatBot/1.0').describe('How the crawler names itself'),
  SITEMAP_MAX_BYTES: count.default(52_428_800).describe('Bytes of one sitemap, decoded'),
  SITEMAP_MAX_URLS: count.default(50_000).describe('URLs one conversion answers'),
  PARSE_TIMEOUT: seconds.default(5).describe('Seconds of work the parsing thread may spend on one page'),
  PARSE_MEMORY: count.default(256).describe('MiB of the parsing thread'),
  CHUNK_TOKENS: count.default(200).describe('Tokens of a chunk, at most'),
  OPENAI_API_KEY: z.string().optional().describe('Key of an OpenAI-compatible provider'),
  OPENAI_BASE_URL: webUrl.optional().describe('Address of an OpenAI-compatible provider (hosted, Ollama, vLLM)'),
  CHAT_MODEL: z.string().optional().describe('Model that answers; without one the answer is extracted from the chunks'),
  CHAT_MODELS: list
    .default([])
    .describe('Further models that a request may name, by commas; otherwise `CHAT_MODEL` only'),
  AI_TOKENS_PER_DAY: amount
    .default(0)
    .describe('Tokens of prompts and answers that a project may use in a day (UTC) at the provider; 0: unlimited'),
  EMBEDDING_MODEL: z.string().optional().describe('Model that embeds, at the provider'),
  EMBEDDING_DIMENSION: count.default(1536).describe('Numbers in a vector of `EMBEDDING_MODEL`'),
  EMBEDDING_MODEL_FILE: z
    .string()
    .optional()
    .describe(
      'The local all-MiniLM-L6-v2 as ONNX; `off` for full text alone; otherwise the one the set-up fetched, if any',
    ),
  AI_TIMEOUT: seconds.default(60).describe('Seconds one call of a provider may take, retries included'),
  AI_IDLE_TIMEOUT: seconds.default(15).describe('Seconds a provider may stay silent in a stream'),
  AI_MAX_RETRY_WAIT: seconds.default(10).describe('Seconds waited before one retry, at most'),
  IMPORT_SLOTS: count.default(16).describe('Pages of one project worked on at once'),
  SLICE_SECONDS: seconds.default(2).describe('Seconds a project works before the next one has its turn'),
  LEASE_SECONDS: seconds.default(60).describe('Seconds after which work of a silent worker is taken over'),
  SWEEP_SECONDS: seconds.default(15).describe('Seconds between two sweeps for stuck work'),
  CLOSE_IDLE_BOTS: flag.default(true).describe('Close conversations with a bot that nobody goes on with'),
  CLOSE_IDLE_BOTS_AFTER: seconds.default(2 * 86_400).describe('Seconds after which they are closed'),
  CLOSE_IDLE_AGENTS: flag.default(false).describe('Close conversations without a bot that nobody goes on with'),
  CLOSE_IDLE_AGENTS_AFTER: seconds.default(5 * 86_400).describe('Seconds after which they are closed'),
  CHANGES_TTL: seconds.default(7 * 86_400).describe('Seconds an event stays in the changes log'),
  EVENT_TTL: seconds.default(30 * 86_400).describe('Seconds a custom event is kept'),
  PROJECT_BYTES_PER_DAY: amount
    .default(5_000_000_000)
    .describe(
      'Bytes of messages, custom events and entries of the changes log that one project may add on a day (UTC); 0: unlimited',
    ),
  ACTIVITY_TTL: seconds
    .default(30 * 86_400)
    .describe('Seconds it is kept who did what, and who changed what in a conversation'),
  PUBLIC_TRANSCRIPTS: z
    .enum(['signed', 'off', 'open'])
    .optional()
    .describe(
      'Who reads a transcript without credentials: who has a signed link, nobody, or who knows the `request_id`; otherwise `signed`, and `open` for `deployed-clients`',
    ),
  TRANSCRIPT_LINK_TTL: seconds.default(7 * 86_400).describe('Life of a signed link to a transcript, in seconds'),
  GEOIP_FILE: geoipFile
    .optional()
    .describe(
      'File in the MaxMind DB format (`.mmdb`) from which a new conversation without a `location` has one; otherwise `location` is what clients send',
    ),
  SMTP_URL: smtpUrl.optional().describe('Mail server; otherwise mails are written to `DATA_DIR/outbox`'),
  PROJECT_MAILS_PER_HOUR: count
    .default(500)
    .describe('Mails a project may write in an hour, by hand and automatic ones; automatic ones beyond are dropped'),
  EMAIL_NOTIFICATION_ENABLED: flag
    .default(true)
    .describe('Mails on conversations: to whom they are given, who waits, who is away when an answer comes'),
  MAIL_FROM: sender.optional().describe('Sender of mails; otherwise `no-reply@` and the host of `PUBLIC_URL`'),
  DASHBOARD_URL: webUrl
    .optional()
    .describe('Page that links in mails open, each with its part after `#`; otherwise `/account` of `PUBLIC_URL`'),
});

/** Exit code of a command whose settings are invalid. */
const INVALID = 2;

const print = (lines: string[]): void => {
  for (const line of lines) process.stderr.write(`${line}\n`);
};

const refuse = (lines: string[]): never => {
  print(lines);
  process.exit(INVALID);
};

const read = readSettings(Settings, process.env);

/** The settings in force. */
export const config = 'settings' in read ? read.settings : refuse(read.invalid);

if (isMainThread && !process.env.SETTINGS_CHECKED) print(misspelt(process.env, Object.keys(Settings.shape)));

/** True in the suite, which checks more and waits less. */
export const testing = config.NODE_ENV === 'test';
