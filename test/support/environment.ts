/** Settings of the suite; whoever starts it sets the services. Comes before everything that reads them. */
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

/** False where no database is named: then tests of pure parts alone can run. */
export const databaseIsNamed = Boolean(process.env.MONGODB_URI);
