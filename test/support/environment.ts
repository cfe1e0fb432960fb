/**
 * Settings of the suite, except the addresses of the databases, which the environment provides. Must be imported before
 * every module that reads settings.
 */
const settings = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  INVITATIONS: 'verified',
  OPERATORS: 'operator@example.com,claimed@example.com',
  RATE_LIMIT_POINTS: '1000000',
  SIGNIN_LIMIT_POINTS: '1000000',
  STREAMS_PER_PRINCIPAL: '1000000',
  STREAMS_PER_NETWORK: '1000000',
  FETCH_ALLOW: '127.0.0.1',
  FETCH_HOST_CONCURRENCY: '64',
  QUEUE_PREFIX: `test-${process.pid}`,
};

for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;

/** Whether a database is configured; without a database, only tests of pure functions can run. */
export const databaseIsNamed = Boolean(process.env.MONGODB_URI);
