import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Settings } from '#shared/config.ts';
import { misspellingWarnings, readSettings } from '#shared/settings/read-settings.ts';

const linesOf = (env: Record<string, string>): string[] => {
  const read = readSettings(Settings, env);
  return 'invalid' in read ? read.invalid : [];
};

const INTEGER = 'an integer of at least 1';
const FLAG = 'true or false (also 1 or 0, yes or no, on or off)';
const SECONDS = 'a number of seconds greater than 0';
const WEB_URL = 'a URL that begins with http:// or https://';
const REDIS_RULE =
  'a URL such as redis://host:6379, redis+cluster://host:6379,host:6380 or redis+sentinel://host:26379/master';
const hiddenValueText = (length: number) => `a value of ${length} characters, which is not shown`;

/** A setting, an invalid value, the rule, and the reported value if it differs from the quoted invalid value. */
const INVALID_SETTINGS: [string, string, string, string?][] = [
  ['PORT', '80x', 'an integer from 0 to 65535'],
  ['PORT', '65536', 'an integer from 0 to 65535'],
  ['PORT', '-1', 'an integer from 0 to 65535'],
  ['PUBLIC_URL', 'chat.example.com', WEB_URL],
  ['PUBLIC_URL', 'ftp://chat.example.com', WEB_URL],
  ['LOG_LEVEL', 'verbose', 'one of fatal, error, warn, info, debug, trace, silent'],
  ['MONGODB_URI', 'localhost:27017', 'a URI that begins with mongodb:// or mongodb+srv://'],
  ['MONGODB_URI', 'mysql://me:pw@db', 'a URI that begins with mongodb:// or mongodb+srv://', hiddenValueText(16)],
  ['REDIS_URL', 'http://127.0.0.1:6379', REDIS_RULE],
  ['REDIS_URL', 'redis+sentinel://127.0.0.1:26379', REDIS_RULE],
  ['REDIS_URL', 'redis+cluster://127.0.0.1:x', REDIS_RULE],
  ['REDIS_UNSAFE', 'maybe', FLAG],
  ['QDRANT_URL', '6333', WEB_URL],
  ['JWT_SECRET', 'fourteen chars', 'at least 16 characters long', hiddenValueText(14)],
  ['TOKEN_TTL_SECONDS', '0', SECONDS],
  ['GUEST_TOKEN_TTL_SECONDS', 'a year', SECONDS],
  ['PASSWORD_MIN_LENGTH', '0', INTEGER],
  ['SIGNUP', 'yes', 'one of open, invite, closed'],
  ['OPERATORS', 'me@example.com,you', 'a comma-separated list of email addresses'],
  ['WIRE_PROFILE', 'old', 'one of specification, deployed-clients'],
  ['RATE_LIMIT_POINTS', '12.5', INTEGER],
  ['TRUST_PROXY', '127.0.0.1', FLAG],
  ['JSON_BODY_LIMIT', '500kb', INTEGER],
  ['FETCH_TIMEOUT_SECONDS', '-5', SECONDS],
  ['FETCH_HOST_DELAY_MS', '-1', 'a number of milliseconds, at least 0'],
  ['OPENAI_BASE_URL', 'localhost:11434', WEB_URL],
  ['AI_TIMEOUT_SECONDS', 'Infinity', SECONDS],
  ['LEASE_SECONDS', '1m', SECONDS],
  ['CLOSE_IDLE_BOTS', 'never', FLAG],
  ['PUBLIC_TRANSCRIPTS', 'private', 'one of signed, off, open'],
  ['GEOIP_FILE', '/no/such/file.mmdb', 'the path of a readable file in the MaxMind DB format'],
  ['GEOIP_FILE', 'README.md', 'the path of a readable file in the MaxMind DB format'],
  ['SMTP_URL', 'mail.example.com', 'a URL that begins with smtp:// or smtps://'],
  ['MAIL_FROM', 'Support', 'an email address, or a name and an address as in Support <support@example.com>'],
];

const lineOf = ([name, value, rule, shownValue = JSON.stringify(value)]: (typeof INVALID_SETTINGS)[number]): string =>
  `${name} must be ${rule}; found ${shownValue}.`;

describe('Invalid settings', () => {
  for (const row of INVALID_SETTINGS)
    it(`an invalid setting is reported with its rule, and with its value unless it may contain a secret: ${row[0]}=${row[1]}`, () => {
      expect(linesOf({ [row[0]]: row[1] })).to.deep.equal([lineOf(row)]);
    });

  it('three invalid settings are reported on three lines', () => {
    const three = INVALID_SETTINGS.filter(([name]) => ['JWT_SECRET', 'SIGNUP', 'SMTP_URL'].includes(name));
    const env = Object.fromEntries(three.map(([name, value]) => [name, value]));
    expect(linesOf(env)).to.have.members(three.map(lineOf));
  });

  it('an empty setting is valid', () => expect(linesOf({ PORT: '', JWT_SECRET: '', SMTP_URL: '' })).to.deep.equal([]));
});

describe('Misspelt settings', () => {
  const names = Object.keys(Settings.shape);

  const NEAR = ['JWT_SECRTE JWT_SECRET', 'MONGO_URI MONGODB_URI', 'REDIS_URI REDIS_URL', 'PROT PORT', 'SIGN_UP SIGNUP'];
  for (const [name = '', meant] of [...NEAR, 'data_dir DATA_DIR', 'RATE_LIMIT_POINT RATE_LIMIT_POINTS'].map((each) =>
    each.split(' '),
  ))
    it(`a misspelt setting is reported with the correct name: ${name}`, () => {
      expect(misspellingWarnings({ [name]: 'x' }, names)).to.deep.equal([
        `${name} is not a setting and has no effect; did you mean ${meant}?`,
      ]);
    });

  it('common environment variables are not reported as misspelt settings', () => {
    const usual =
      'PATH HOME HOSTNAME HOSTTYPE USER LOGNAME SHELL PWD OLDPWD LANG LC_ALL TERM TMPDIR EDITOR DISPLAY MAIL TZ CI DEBUG PS1 SHLVL ' +
      'NODE NODE_OPTIONS NODE_PATH npm_config_loglevel npm_package_name npm_config_port HTTP_PROXY HTTPS_PROXY NO_PROXY ' +
      'API_PORT REDIS_PORT REDIS_HOST MONGO_PORT DB_HOST POSTGRES_URL DATABASE_URL SSH_AUTH_SOCK SSL_CERT_FILE INIT_CWD ' +
      'KUBERNETES_PORT KUBERNETES_SERVICE_HOST XDG_CACHE_HOME XDG_RUNTIME_DIR INVOCATION_ID NOTIFY_SOCKET TEST_REDIS_URL';
    expect(
      misspellingWarnings(Object.fromEntries([...usual.split(' '), ...names].map((name) => [name, 'x'])), names),
    ).to.deep.equal([]);
  });
});

describe('Commands with invalid settings', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'settings-'));
  });
  after(() => rm(folder, { recursive: true }));

  const runScript = async (command: string[], settings: Record<string, string>) => {
    const env = { ...process.env, SETTINGS_CHECKED: undefined, DATA_DIR: folder, ...settings };
    const child = spawn(process.execPath, command, { env });
    const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, out, error };
  };

  const COMMANDS = [
    ['scripts/start.mjs'],
    ['scripts/run.mjs', 'api/main.ts'],
    ['scripts/run.mjs', 'workers/main.ts'],
    ['scripts/run.mjs', 'scripts/cli.ts', 'roles'],
    ['api/main.ts'],
    ['workers/main.ts'],
  ];
  const THREE_INVALID = { PORT: '80x', JWT_SECRET: 'fourteen chars', CLOSE_IDLE_BOTS: 'never' };
  for (const command of COMMANDS)
    it(`a command with invalid settings exits with code 2, prints a line for each, and starts nothing: ${command.join(' ')}`, async () => {
      const { code, error } = await runScript(command, THREE_INVALID);
      expect(error.trim().split('\n')).to.deep.equal(
        INVALID_SETTINGS.filter(([name, value]) => THREE_INVALID[name as keyof typeof THREE_INVALID] === value).map(
          lineOf,
        ),
      );
      expect(code).to.equal(2);
      expect(await readdir(folder)).to.not.include.any.members(['mongodb', 'redis', 'logs']);
    });

  it('a command reports a DATA_DIR that is not writable', async () => {
    const { code, error } = await runScript(['scripts/run.mjs', 'scripts/cli.ts', 'roles'], {
      DATA_DIR: '/dev/null/x',
    });
    expect(error.trim()).to.match(
      /^DATA_DIR must be a folder that this user may write to; found \/dev\/null\/x \(E\w+\)\.$/,
    );
    expect(code).to.equal(2);
  });

  it('a command warns once about a misspelt setting', async () => {
    const { code, error } = await runScript(['scripts/run.mjs', 'scripts/cli.ts', 'roles'], { JWT_SECRTE: 'x' });
    expect(error.match(/JWT_SECRTE is not a setting and has no effect; did you mean JWT_SECRET\?/g)).to.have.length(1);
    expect(code).to.equal(0);
  });
});
