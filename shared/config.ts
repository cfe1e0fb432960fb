/** Every setting, read from the environment. The settings table of the README is generated from this schema. */
import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { aiSettings } from './settings/ai-settings.ts';
import { crawlSettings } from './settings/crawl-settings.ts';
import { describeSettings } from './settings/describe-settings.ts';
import { fileSettings } from './settings/file-settings.ts';
import { mailSettings } from './settings/mail-settings.ts';
import { misspellingWarnings, readSettings } from './settings/read-settings.ts';
import {
  emailList,
  flag,
  geoipFile,
  mongodbUri,
  nonNegativeInteger,
  port,
  positiveInteger,
  ratio,
  redisUrl,
  seconds,
  secret,
  webUrl,
} from './settings/setting-types.ts';
import { webhookSettings } from './settings/webhook-settings.ts';

export const Settings = z.object({
  NODE_ENV: z.string().default('production').describe('`test` in the test suite'),
  APP_VERSION: z
    .string()
    .optional()
    .describe('Version of this process that `/admin/fleet` shows. Default: the version in `package.json`'),
  HOST: z.string().default('127.0.0.1').describe('Address the API listens on'),
  PORT: port.default(3000).describe('Port of the API; 0 picks a free port'),
  PUBLIC_URL: webUrl
    .optional()
    .describe('Base URL at which clients reach the API, used in links. Default: `http://HOST:PORT`'),
  DATA_DIR: z.string().default('.data').describe('Folder for all data stored on this host'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Minimum log level'),
  MONGODB_URI: mongodbUri
    .default('mongodb://127.0.0.1:27017/support-chat?directConnection=true')
    .describe('MongoDB; must be a replica set (one node is enough)'),
  REDIS_URL: redisUrl
    .default('redis://127.0.0.1:6379')
    .describe(
      'Redis with `appendonly yes` and `maxmemory-policy noeviction`. A Redis Cluster: `redis+cluster://host:port,host:port`. Sentinels: `redis+sentinel://host:port,host:port/master-name`. With TLS: `rediss…`. See docs/scale-out.md',
    ),
  REDIS_UNSAFE: flag.default(false).describe('Start even if Redis is configured so that it may lose jobs'),
  QUEUE_PREFIX: z.string().default('support-chat').describe('Prefix of every key in Redis'),
  QUEUE_BOARD_ACTIONS: flag
    .default(false)
    .describe('Let instance administrators pause queues and change jobs at `/admin/queues`; every action is recorded'),
  QDRANT_URL: webUrl.optional().describe('Qdrant server. Default: LanceDB in `DATA_DIR` (single host only)'),
  QDRANT_API_KEY: z.string().optional().describe('API key of the Qdrant server'),
  JWT_SECRET: secret
    .optional()
    .describe(
      'Secret used to sign sign-in tokens, invitation links, links to public transcripts, and the reply addresses of emails, and to encrypt replies stored for an `Idempotency-Key`. If it changes, all of these become invalid (see docs/backup.md). Default: random, stored in `DATA_DIR`',
    ),
  SECRETS_KEY: secret
    .optional()
    .describe('Secret used to encrypt stored passwords and keys of other systems. Default: derived from `JWT_SECRET`'),
  TOKEN_TTL_SECONDS: seconds.default(30 * 86_400).describe('Lifetime of a sign-in token, in seconds'),
  GUEST_TOKEN_TTL_SECONDS: seconds.default(365 * 86_400).describe('Lifetime of an anonymous sign-in token, in seconds'),
  PASSWORD_MIN_LENGTH: positiveInteger.default(8).describe('Minimum length of a password, in characters'),
  SIGNUP: z
    .enum(['open', 'invite', 'closed'])
    .default('open')
    .describe('Who may sign up: anyone (`open`), invited people (`invite`), or no one (`closed`)'),
  INVITATIONS: z
    .enum(['verified', 'trusting'])
    .optional()
    .describe(
      'Who may accept an invitation: only an account that has verified the invited email address, or any account with this address. Default: `verified` if `SMTP_URL` is set, otherwise `trusting`',
    ),
  OPERATORS: emailList
    .default([])
    .describe(
      'Comma-separated email addresses of the instance administrators (their accounts must be verified). Default of `npm start`: the owner account that the first start creates',
    ),
  WIRE_PROFILE: z
    .enum(['specification', 'deployed-clients'])
    .default('specification')
    .describe('Variant of the API: as specified, or as deployed clients expect it (see docs/wire-profiles.md)'),
  RATE_LIMIT_POINTS: positiveInteger
    .default(300)
    .describe('Points per minute per token (a call costs one or more); calls without a token are counted per network'),
  PRINCIPAL_LIMIT_POINTS: positiveInteger
    .optional()
    .describe('Points per minute per principal, across all of its tokens. Default: 2 × `RATE_LIMIT_POINTS`'),
  VISITORS_LIMIT_POINTS: positiveInteger
    .optional()
    .describe('Points per minute for all visitors from one network. Default: 4 × `RATE_LIMIT_POINTS`'),
  PROJECT_LIMIT_POINTS: positiveInteger
    .optional()
    .describe(
      'Points per minute per project, counted separately for its team and its visitors. Default: 20 × `RATE_LIMIT_POINTS`',
    ),
  TOKEN_ISSUE_LIMIT_POINTS: positiveInteger
    .optional()
    .describe('Tokens issued per minute per principal. Default: a tenth of `RATE_LIMIT_POINTS`'),
  SIGNIN_LIMIT_POINTS: positiveInteger.default(20).describe('Sign-in attempts per minute per network'),
  STREAMS_PER_PRINCIPAL: positiveInteger
    .default(5)
    .describe('Open streams, sockets and long polls per principal, in each API process'),
  STREAMS_PER_NETWORK: positiveInteger
    .default(50)
    .describe('Open streams, sockets and long polls per network, in each API process'),
  RUNNING_CALLS_PER_PROJECT: positiveInteger
    .default(500)
    .describe('Calls of one project that an API process handles at the same time; further calls are refused with 503'),
  RESPONSE_TIMEOUT_SECONDS: seconds
    .default(60)
    .describe('Seconds after which a response is aborted if the client reads none of it'),
  STOP_DELAY_SECONDS: z.coerce
    .number()
    .min(0)
    .max(60)
    .default(0.3)
    .describe(
      'Seconds for which a stopping API still accepts calls, while `/health/ready` returns 503; set it to more than the interval between two checks by a load balancer',
    ),
  TRUST_PROXY: flag.default(false).describe('Trust the `X-Forwarded-*` headers of the reverse proxy'),
  REQUIRE_HTTPS: flag.default(false).describe('Reject calls without HTTPS (requires `TRUST_PROXY`)'),
  JSON_BODY_LIMIT: positiveInteger.default(500_000).describe('Maximum size of a JSON body, in bytes'),
  BULK_BODY_LIMIT: positiveInteger.default(5_000_000).describe('Maximum size of the body of a bulk endpoint, in bytes'),
  ...fileSettings,
  TRIAL_MODE: flag.default(false).describe("Compute the end of a project's trial from `profile.trialDays`"),
  QUESTION_TTL_SECONDS: seconds
    .default(90 * 86_400)
    .describe('Retention of the logs of answered and unanswered questions to knowledge bases, in seconds'),
  ...crawlSettings,
  ...aiSettings,
  MAX_PARALLEL_JOBS_PER_PROJECT: positiveInteger
    .default(16)
    .describe(
      "One value for two purposes. First, the maximum number of contents of one project that all workers together index concurrently. Second, the default of a worker's `--concurrency` option: how many jobs of each queue, of all projects, this worker runs concurrently. The worker runs 4 times as many jobs of the `events` queue, 16 times as many of `project-mails`, and 64 times as many of `bots` and `webhooks`. The option has no effect on the `files` and `maintenance` queues",
    ),
  JOB_TIME_SLICE_SECONDS: seconds
    .default(2)
    .describe('Seconds for which a job works on one project before the next project is served'),
  WORKER_METRICS_PORT: port
    .optional()
    .describe(
      'Port on `HOST` at which a worker serves `/metrics` and `/health/live` without credentials; 0 picks a free port. Default: none',
    ),
  LEASE_SECONDS: seconds
    .default(60)
    .describe(
      'Seconds after which another worker takes over contents and emails whose process has stopped renewing their lease; unfinished uploads to such a process are removed. Other work has shorter leases (see Takeover in the README)',
    ),
  SWEEP_INTERVAL_SECONDS: seconds.default(15).describe('Seconds between two sweeps for unfinished work'),
  CLOSE_IDLE_BOTS: flag.default(true).describe('Close idle conversations with a bot'),
  CLOSE_IDLE_BOTS_AFTER_SECONDS: seconds
    .default(2 * 86_400)
    .describe('Seconds without activity after which a conversation with a bot is closed'),
  CLOSE_IDLE_AGENTS: flag.default(false).describe('Close idle conversations without a bot'),
  CLOSE_IDLE_AGENTS_AFTER_SECONDS: seconds
    .default(5 * 86_400)
    .describe('Seconds without activity after which a conversation without a bot is closed'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl
    .optional()
    .describe(
      'Base URL of an OTLP/HTTP collector to which traces of calls, jobs and webhooks are sent. Default: no traces',
    ),
  TRACE_RATIO: ratio.default(1).describe('Fraction of the calls that are traced, from 0 to 1'),
  CHANGES_TTL_SECONDS: seconds.default(7 * 86_400).describe('Retention of events in the changes log, in seconds'),
  ...webhookSettings,
  EVENT_TTL_SECONDS: seconds.default(30 * 86_400).describe('Retention of custom events, in seconds'),
  PROJECT_BYTES_PER_DAY: nonNegativeInteger
    .default(5_000_000_000)
    .describe(
      'Bytes of messages, custom events and changes log entries that a project may add per day (UTC); 0: unlimited',
    ),
  ACTIVITY_TTL_SECONDS: seconds
    .default(30 * 86_400)
    .describe('Retention of activities (the audit log) and of the history of conversations, in seconds'),
  CONVERSATION_RETENTION_SECONDS: seconds
    .optional()
    .describe(
      'Seconds after which the command `retention apply` deletes a closed conversation with its messages. Default: conversations are kept',
    ),
  PUBLIC_TRANSCRIPTS: z
    .enum(['signed', 'off', 'open'])
    .optional()
    .describe(
      'Access to a transcript without credentials: by a signed link, not at all, or by the `request_id` alone. Default: `signed`, or `open` if `WIRE_PROFILE` is `deployed-clients`',
    ),
  TRANSCRIPT_LINK_TTL_SECONDS: seconds
    .default(7 * 86_400)
    .describe('Lifetime of a signed link to a transcript, in seconds'),
  GEOIP_FILE: geoipFile
    .optional()
    .describe(
      'MaxMind DB file (`.mmdb`) in which the `location` of a new conversation is looked up by IP address, unless the client sends one. Default: no lookup',
    ),
  ...mailSettings,
  TRIGGER_ENABLED: flag.default(true).describe('Run the triggers of projects'),
  PROJECT_TRIGGER_RUNS_PER_HOUR: positiveInteger
    .default(10_000)
    .describe('Trigger runs that a project may start per hour; further events start none'),
  DASHBOARD_URL: webUrl
    .optional()
    .describe(
      'URL of the page to which links in emails lead, usually a dashboard of your own; the path of a link is appended as a `#` fragment. Default: the built-in account page, `/account` under `PUBLIC_URL`',
    ),
});

/** Exit code of a process that finds invalid settings. */
const INVALID_SETTINGS_EXIT_CODE = 2;

const printLines = (lines: string[]): void => {
  for (const line of lines) process.stderr.write(`${line}\n`);
};

const exitInvalid = (lines: string[]): never => {
  printLines(lines);
  process.exit(INVALID_SETTINGS_EXIT_CODE);
};

const parsed = readSettings(Settings, process.env);

/** Whether the command line is `cli config …`, which reports invalid settings itself. */
const isReport = process.argv[2] === 'config';

const handleInvalid = (lines: string[]) => (isReport ? Settings.parse({}) : exitInvalid(lines));

/**
 * The validated settings. If a setting is invalid, the process exits; `cli config …` continues with the defaults
 * instead.
 */
export const config = 'settings' in parsed ? parsed.settings : handleInvalid(parsed.invalid);

const findMisspellings = (): string[] => misspellingWarnings(process.env, Object.keys(Settings.shape));

if (isMainThread && !process.env.SETTINGS_CHECKED && !isReport) printLines(findMisspellings());

/** Describes the settings in the environment. `SETTINGS_STORED` names those that `npm start` has stored. */
export const inspectSettings = () => ({
  settings: describeSettings(Settings, process.env, process.env.SETTINGS_STORED?.split(',')),
  warnings: findMisspellings(),
});

/** Whether this is the test suite, in which every reply is validated against its schema. */
export const isTesting = config.NODE_ENV === 'test';
