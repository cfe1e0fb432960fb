/** Measures 2,000 sockets of 100 projects on one API process: latency of frames, memory per client, CPU per frame. */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { request } from 'undici';
import { WebSocket } from 'ws';
import { anApiProcess } from '../support/api-process.ts';
import { aProject } from '../support/people.ts';
import { startRelayOnce } from '../support/relay.ts';
import { waitUntil } from '../support/wait-until.ts';

const PROJECTS = Number(process.env.BENCH_PROJECTS ?? 100);
const CLIENTS_PER_PROJECT = 20;
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 300);
const CLOCK_TICKS_PER_SECOND = 100;

const frameOf = ({ topic, message }: { topic: string; message: { text: string; id_project: string } }) => ({
  ...{ topic, text: message.text, project: message.id_project },
});

const percentile = (times: number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] as number;

const residentKib = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const cpuMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_SECOND;
};

interface Frame {
  text: string;
  at: number;
  /** The project of the message; `socketProject` is the project of the socket. */
  project: string;
  socketProject: string;
  topic: string;
}

/** Expects that a frame, its socket and its topic belong to the project in which the message was posted. */
const expectOwnProject = ({ project, socketProject, topic }: Frame, postedIn: string): void => {
  expect([project, socketProject, topic]).to.deep.equal([postedIn, postedIn, `/${postedIn}/requests/talk/messages`]);
};

describe('Sockets benchmark', function () {
  this.timeout(600_000);

  it(`each of ${MESSAGES} messages reaches the ${CLIENTS_PER_PROJECT} sockets of its project once, with ${PROJECTS} projects`, async () => {
    startRelayOnce();
    const server = await anApiProcess({ NODE_ENV: 'production', RATE_LIMIT_POINTS: '1000000' });
    const frames: Frame[] = [];
    const sockets: WebSocket[] = [];
    let states = 0;
    const open = async (project: string, authorization: string): Promise<void> => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v3/ws`, { headers: { authorization } });
      sockets.push(socket);
      const topic = `/${project}/requests/talk/messages`;
      socket.on('open', () => socket.send(JSON.stringify({ action: 'subscribe', payload: { topic } })));
      socket.on('message', (data) => {
        const { action, payload } = JSON.parse(String(data));
        if (action !== 'publish') return;
        if (Array.isArray(payload.message)) states += 1;
        else frames.push({ ...frameOf(payload), at: performance.now(), socketProject: project });
      });
      const opened = Promise.withResolvers<void>();
      socket.once('open', opened.resolve).once('error', opened.reject);
      await opened.promise;
    };
    const fixtures = await Promise.all(Array.from({ length: PROJECTS }, aProject));
    const memoryBefore = residentKib(server.pid);
    for (const { project, owner } of fixtures)
      await Promise.all(Array.from({ length: CLIENTS_PER_PROJECT }, () => open(project.id, owner.authorization)));
    await waitUntil(() => states === sockets.length, 60);
    const memory = (residentKib(server.pid) - memoryBefore) / sockets.length;

    const post = async (n: number): Promise<number> => {
      const { project, owner } = fixtures[n % PROJECTS] as (typeof fixtures)[number];
      const { body, statusCode } = await request(`${server.url}/v3/${project.id}/requests/talk/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: owner.authorization },
        body: JSON.stringify({ text: `message ${n}` }),
      });
      await body.dump();
      expect(statusCode).to.equal(200);
      return performance.now();
    };
    for (let n = 0; n < PROJECTS; n += 1) await post(n); // creates the conversations
    const created = () => frames.filter(({ text }) => text.startsWith('message '));
    await waitUntil(() => created().length >= PROJECTS * CLIENTS_PER_PROJECT, 60);
    const answered = new Map<string, number>();
    const cpuBefore = cpuMs(server.pid);
    for (let n = PROJECTS; n < PROJECTS + MESSAGES; n += 1) answered.set(`message ${n}`, await post(n));
    const ofMessages = () => frames.filter(({ text }) => answered.has(text));
    await waitUntil(() => ofMessages().length >= MESSAGES * CLIENTS_PER_PROJECT, 60);
    const cpu = cpuMs(server.pid) - cpuBefore;
    const times = ofMessages().map(({ text, at }) => at - (answered.get(text) as number));
    console.log(
      `      ${times.length} frames: median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms ` +
        `after the response; ${memory.toFixed(1)} KiB per client; ${((cpu * 1000) / times.length).toFixed(0)} µs of CPU per frame ` +
        `including its share of the calls that post the messages; load ${loadavg()[0]?.toFixed(1)}`,
    );
    expect(times).to.have.lengthOf(MESSAGES * CLIENTS_PER_PROJECT);
    const projectOf = ({ text }: Frame) => fixtures[Number(/^message (\d+)$/.exec(text)?.[1]) % PROJECTS]?.project.id;
    for (const frame of frames) expectOwnProject(frame, projectOf(frame) ?? frame.socketProject);
    for (const socket of sockets) socket.terminate();
    await server.stop('SIGKILL');
  });
});
