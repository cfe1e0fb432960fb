import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { request } from 'undici';
import type { maintenanceForCall } from '#shared/process/controls.ts';
import { newId } from '#shared/context.ts';
import { anApiProcess } from '../support/api-process.ts';
import { api } from '../support/api.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

const IDLE_MS = 3000;
/**
 * Allows the commands that every idle process sends: every five seconds, it stores its heartbeat, and reads the
 * maintenance mode and the log level.
 */
const MAX_IDLE_COMMANDS = 4;

const findsOf = (commands: unknown[], collection: string): number =>
  (commands as { find?: string }[]).filter(({ find }) => find === collection).length;

/** Whether a process has loaded LanceDB. Works on Linux only. */
const hasLance = (pid: number): boolean => readFileSync(`/proc/${pid}/maps`, 'utf8').includes('lancedb');

describe('An idle API process', () => {
  it('reads the log of access changes only while calls arrive, and sends few database commands otherwise', async () => {
    const { project, agent } = await aProject();
    const call = () => api(agent).get(`/v3/${project.id}/changes`);
    await call();
    expect(
      findsOf(
        await commandsDuring(async () => void (await Promise.all([call(), sleep(1000)])), { includePeriodic: true }),
        'access_changes',
      ),
    ).to.be.greaterThan(1);
    await sleep(IDLE_MS);
    const idle = await commandsDuring(() => sleep(IDLE_MS), { includePeriodic: true });
    expect(findsOf(idle, 'access_changes')).to.equal(0);
    expect(idle.length).to.be.at.most(MAX_IDLE_COMMANDS);
  });

  it('reads the maintenance mode for the first call after an idle period', async () => {
    const module = new URL('../../shared/process/controls.ts?idle', import.meta.url).href;
    const controls = (await import(module)) as { maintenanceForCall: typeof maintenanceForCall };
    const reads = async () =>
      findsOf(
        await commandsDuring(async () => controls.maintenanceForCall(), { includePeriodic: true }),
        'instance_controls',
      );
    expect(await reads()).to.be.at.least(1);
    const later = await Promise.all(Array.from({ length: 20 }, async () => controls.maintenanceForCall()));
    expect(new Set(later)).to.deep.equal(new Set([undefined]));
  });

  describe('with LanceDB', () => {
    let dataDir: string;
    beforeEach(async function onLinux() {
      if (process.platform !== 'linux') this.skip();
      dataDir = await mkdtemp(path.join(tmpdir(), 'idle-'));
    });
    afterEach(() => rm(dataDir, { recursive: true, force: true }));

    const isReady = async (url: string): Promise<boolean> => {
      const { statusCode, body } = await request(`${url}/health/ready`);
      await body.dump();
      return statusCode === 200;
    };

    it('is ready without loading LanceDB', async () => {
      const { pid, url, stop } = await anApiProcess({ DATA_DIR: dataDir, QDRANT_URL: '' });
      expect(await isReady(url)).to.equal(true);
      await sleep(1000);
      expect(hasLance(pid)).to.equal(false);
      await stop();
    });

    it('loads LanceDB after the first readiness check if its data folder contains an index', async () => {
      await mkdir(path.join(dataDir, 'lancedb', newId()), { recursive: true });
      const { pid, url, stop } = await anApiProcess({ DATA_DIR: dataDir, QDRANT_URL: '' });
      expect(await isReady(url)).to.equal(true);
      await waitUntil(() => hasLance(pid));
      await stop();
    });
  });
});
