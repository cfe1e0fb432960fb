/** An API and a worker with the sweep interval, lease and time slice of production, and a mail server. */
import { randomUUID } from 'node:crypto';
import { config } from '#shared/config.ts';
import type { FleetProcess } from '../../support/fleet.ts';
import { anSmtpServer } from '../../support/smtp-server.ts';

/** Each sweep runs at this interval. */
export const SWEEP_INTERVAL_SECONDS = 15;

interface StartableFleet {
  api(): Promise<FleetProcess>;
  worker(): Promise<FleetProcess>;
  close(): Promise<void>;
}

/** Creates the fleet with `createFleet`, and starts an API and a worker. This process can issue tokens for the API. */
export const startProductionFleet = async <Fleet extends StartableFleet>(
  createFleet: (settings: Record<string, string>) => Promise<Fleet>,
) => {
  const smtp = await anSmtpServer();
  const JWT_SECRET = randomUUID().repeat(2);
  config.JWT_SECRET = JWT_SECRET;
  const intervals = {
    SWEEP_INTERVAL_SECONDS: String(SWEEP_INTERVAL_SECONDS),
    LEASE_SECONDS: '60',
    JOB_TIME_SLICE_SECONDS: '2',
  };
  const fleet = await createFleet({ JWT_SECRET, SMTP_URL: smtp.url, NODE_ENV: 'production', ...intervals });
  const [api, worker] = await Promise.all([fleet.api(), fleet.worker()]);
  const close = async (): Promise<void> => {
    await fleet.close();
    await smtp.close();
  };
  return { fleet, smtp, api, worker, close };
};
