/** A whole system whose parts can be killed and paused, one at a time, for the rows of docs/degradation.md. */
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { config } from '#shared/config.ts';
import { Subscription } from '#shared/models/subscription.ts';
import { aDedicatedDatabase } from './dedicated-database.ts';
import { aProvider } from './fake-openai.ts';
import { aFleet } from './fleet.ts';
import { aQdrantService } from './qdrant-shim.ts';
import { startS3Server } from './s3-server.ts';
import { anSmtpServer } from './smtp-server.ts';
import { aTcpProxy } from './tcp-proxy.ts';
import { aTemporaryFolder } from './temporary-folder.ts';
import { listenOnUnusedPort } from './unused-port.ts';

/** An outage of a part: how it begins and how it ends. */
export interface Outage {
  begin(): unknown;
  end(): unknown;
}

interface Service {
  signal(name: NodeJS.Signals): void;
  kill(): Promise<unknown>;
  restart(): Promise<unknown>;
}

type TcpProxy = Awaited<ReturnType<typeof aTcpProxy>>;

const pauseOf = ({ signal }: Service): Outage => ({ begin: () => signal('SIGSTOP'), end: () => signal('SIGCONT') });
const killOf = ({ kill, restart }: Service): Outage => ({ begin: kill, end: restart });
const hangOf = ({ hang, recover }: TcpProxy): Outage => ({ begin: hang, end: recover });
const refusalOf = ({ shut, acceptConnections }: TcpProxy): Outage => ({ begin: shut, end: acceptConnections });

const proxyTo = (port: number): Promise<TcpProxy> => aTcpProxy({ host: '127.0.0.1', port });

const HOUR_MS = 3_600_000;
/** The time within which a process notices a jump of its clock. */
const CLOCK_READ_MS = 300;

const clockOutage = (file: string, offsetMs: number): Outage => {
  const setOffset = async (ms: number): Promise<void> => {
    await writeFile(file, String(ms));
    await new Promise((resolve) => setTimeout(resolve, CLOCK_READ_MS));
  };
  return { begin: () => setOffset(offsetMs), end: () => setOffset(0) };
};

/** A receiver of webhooks behind a proxy; `texts` has the text of each message that it has received. */
const aReceiver = async () => {
  const texts = new Set<string>();
  const server = createServer(async (request, response) => {
    const { payload } = JSON.parse(await readText(request)) as { payload: { text: string } };
    texts.add(payload.text);
    response.writeHead(200).end();
  });
  const proxy = await proxyTo(await listenOnUnusedPort(server));
  const subscribe = (id_project: string) =>
    Subscription.create([
      { id_project, event: 'message.create', target: `http://127.0.0.1:${proxy.port}/hook`, createdBy: 'test' },
    ]);
  const close = async (): Promise<void> => {
    await proxy.close();
    server.close();
  };
  return { texts, proxy, subscribe, close };
};

const SETTINGS = {
  OPENAI_API_KEY: 'none',
  EMBEDDING_MODEL: 'fake',
  EMBEDDING_DIMENSION: '64',
  AI_TIMEOUT_SECONDS: '3',
  WEBHOOK_TIMEOUT_SECONDS: '2',
  WEBHOOK_FIRST_RETRY_SECONDS: '1',
  WEBHOOK_MAX_RETRY_DELAY_SECONDS: '4',
};

/** The address of a service, through its proxy. */
const through = (url: string, proxied: number, { port }: TcpProxy): string =>
  url.replaceAll(String(proxied), `${port}`);

const startOutsideParties = async () => {
  const [provider, smtp, s3, receiver] = await Promise.all([
    aProvider({ dimension: 64 }),
    anSmtpServer(),
    startS3Server(),
    aReceiver(),
  ]);
  const ports = [provider.baseUrl, smtp.url, decodeURIComponent(s3.storage)].map((url) =>
    Number(/127\.0\.0\.1:(\d+)/.exec(url)?.[1]),
  ) as [number, number, number];
  const [ai, mail, storage] = await Promise.all([proxyTo(ports[0]), proxyTo(ports[1]), proxyTo(ports[2])]);
  return {
    settings: {
      OPENAI_BASE_URL: through(provider.baseUrl, ports[0], ai),
      SMTP_URL: through(smtp.url, ports[1], mail),
      FILE_STORAGE: through(s3.storage, ports[2], storage),
    },
    proxies: { ai, mail, storage, receiver: receiver.proxy },
    smtp,
    receiver,
    close: async () => {
      await Promise.all([ai.close(), mail.close(), storage.close(), receiver.close()]);
      await Promise.all([provider.close(), s3.stop()]);
    },
  };
};

/** Starts an API, a worker and all they need. Until the system is closed, this process's models read its database. */
export const aDegradableSystem = async () => {
  const folder = await aTemporaryFolder('degradation-');
  const clockFile = join(folder, 'clock');
  const [mongodb, qdrant, outside] = await Promise.all([
    aDedicatedDatabase('mongodb', join(folder, 'mongodb')),
    aQdrantService(),
    startOutsideParties(),
  ]);
  const suiteUri = config.MONGODB_URI;
  config.MONGODB_URI = mongodb.url;
  const clock = new URL('./shifted-clock.mjs', import.meta.url).href;
  const clockSettings = { CLOCK_OFFSET_FILE: clockFile, NODE_OPTIONS: `--import=${clock}` };
  const fleet = await aFleet({ ...SETTINGS, ...outside.settings, ...clockSettings, QDRANT_URL: qdrant.url });
  const [api, worker] = await Promise.all([fleet.api(), fleet.worker()]);
  const { ai, mail, storage, receiver } = outside.proxies;
  return {
    api,
    processes: [api, worker],
    smtp: outside.smtp,
    receiver: outside.receiver,
    outages: {
      'redis paused': pauseOf(fleet.redisService),
      'redis killed': killOf(fleet.redisService),
      'mongodb paused': pauseOf(mongodb),
      'mongodb killed': killOf(mongodb),
      'qdrant paused': pauseOf(qdrant),
      'qdrant killed': killOf(qdrant),
      'ai hangs': hangOf(ai),
      'ai refuses': refusalOf(ai),
      'smtp hangs': hangOf(mail),
      'smtp refuses': refusalOf(mail),
      's3 hangs': hangOf(storage),
      's3 refuses': refusalOf(storage),
      'receiver hangs': hangOf(receiver),
      'receiver refuses': refusalOf(receiver),
      'clock ahead': clockOutage(clockFile, HOUR_MS),
      'clock behind': clockOutage(clockFile, -HOUR_MS),
    },
    close: async () => {
      config.MONGODB_URI = suiteUri;
      await fleet.close();
      await Promise.all([mongodb.kill(), qdrant.kill(), outside.close()]);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

/** A running system. */
export type DegradableSystem = Awaited<ReturnType<typeof aDegradableSystem>>;
