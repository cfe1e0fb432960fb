/** Sends random calls to an endpoint, and reports failures, hangs, and leaked or changed records of another project. */
import type { Endpoint } from '../../../api/http/endpoint.ts';
import { seededRandom } from '../../../scripts/seed/seeded-random.ts';
import { actorsOfProject } from '../actors.ts';
import { anApi, api, type Caller, call, type Reply } from '../api.ts';
import { idFields, idPathParameters } from '../id-fields.ts';
import type { RecordIds } from '../foreign-calls.ts';
import { anInstanceAdmin } from '../people.ts';
import { type ProjectFixture, RECORD_MAKERS, type RecordKind } from '../record-makers.ts';
import { forgeToken, withToken } from '../tokens.ts';
import { uploadFile } from '../uploads.ts';
import { maxStatusOf, schemaOf } from '../valid-call.ts';
import { type CallSources, drawCall, type FuzzCall, PNG } from './draw-call.ts';
import type { Draw } from './draw.ts';
import { aMarkedProject, type MarkedProject } from './marked-project.ts';

/** A call that has no reply after this time is reported as hanging. */
const HANG_MS = 20_000;
const CALLS_AT_ONCE = 25;
/** After this many calls, the records and callers that they have removed are created again. */
const CALLS_PER_PART = 100;

/** The totals of all calls in a trial. */
export interface FuzzTotals {
  calls: number;
  /** Calls by the first digit of their status. */
  byClass: Record<string, number>;
  /** The endpoints for which at least one call succeeded. */
  succeeded: Set<string>;
}

type Attacker = Awaited<ReturnType<typeof actorsOfProject>>;

/** The kinds of records whose ids a call to the endpoint contains. */
const kindsOf = (endpoint: Endpoint): RecordKind[] => [
  ...new Set(
    [...idPathParameters(endpoint), ...idFields(endpoint, 'query'), ...idFields(endpoint, 'body')].map(
      ({ kind }) => kind,
    ),
  ),
];

const INVALID_TOKENS: Caller[] = [
  withToken(forgeToken({ _id: 'x', sub: 'user', exp: 1 }, { secret: 'wrong' })),
  { id: '', authorization: 'JWT \u00e9.e30.' },
  { id: '', authorization: `Basic ${Buffer.from('a:\u0000').toString('base64')}` },
  { id: '', authorization: 'JWT a b' },
];

interface FuzzOptions {
  seed: number;
  /** Whether each reply is compared with the OpenAPI document. Compiling the validators of replies takes seconds. */
  checkOpenapi: boolean;
}

/** Stores an image in the project. Returns the path of the image. */
const storeImage = async (owner: Caller, project: string): Promise<string> => {
  const file = { name: 'a.png', type: 'image/png', bytes: PNG };
  return (await uploadFile(owner, `/v3/${project}/files/assets`, file)).body.filename;
};

/**
 * Returns the reply, or a message if it is late. Uses a plain timer, because aborting a timer of `node:timers/promises`
 * creates an error for each call.
 */
const withinHangTime = async (reply: Promise<Reply | string>): Promise<Reply | string> => {
  const { promise: hang, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(resolve, HANG_MS, `no reply within ${HANG_MS / 1000} s`);
  return Promise.race([reply, hang]).finally(() => clearTimeout(timer));
};

/** Makes calls as the people of one project, while another project's records are watched. */
export class FuzzTrial {
  readonly totals: FuzzTotals = { calls: 0, byClass: {}, succeeded: new Set() };
  readonly #options: FuzzOptions;
  readonly #marked: MarkedProject;
  #attacker: Attacker;
  /** Ids and the marker of the other project that bodies of calls contained: the caller may have stored them. */
  readonly #sentSecrets = new Set<string>();
  /** Ids of records of the trial's own project: one for each kind that calls have needed so far. They are reused. */
  #own: Partial<RecordIds> = {};

  private constructor(options: FuzzOptions, marked: MarkedProject, attacker: Attacker) {
    this.#options = options;
    this.#marked = marked;
    this.#attacker = attacker;
  }

  static async create(options: FuzzOptions): Promise<FuzzTrial> {
    return new FuzzTrial(options, await aMarkedProject(), await actorsOfProject());
  }

  /** Makes `count` calls. Describes each call that failed, hung, or revealed a record of the other project. */
  async run(endpoint: Endpoint, index: number, count: number): Promise<string[]> {
    const draw = seededRandom(this.#options.seed + index);
    const problems: string[] = [];
    for (let done = 0; done < count; done += CALLS_PER_PART)
      problems.push(...(await this.#runPart(endpoint, draw, Math.min(CALLS_PER_PART, count - done))));
    return problems;
  }

  /** The records of the other project that have changed since the last call to this method, or since the start. */
  foreignChanges(): Promise<string[]> {
    return this.#marked.changedRecords();
  }

  async #runPart(endpoint: Endpoint, draw: Draw, count: number): Promise<string[]> {
    const sources = await this.#sourcesOf(endpoint);
    const calls = Array.from({ length: count }, () => drawCall(endpoint, sources, draw));
    const problems: string[] = [];
    const sendNext = async (): Promise<void> => {
      for (let next = calls.pop(); next; next = calls.pop()) problems.push(...(await this.#check(endpoint, next)));
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, sendNext));
    if (endpoint.method !== 'get') await this.#renew(endpoint);
    return problems;
  }

  /** The callers, and a record of each kind whose id a call to the endpoint contains. */
  async #sourcesOf(endpoint: Endpoint): Promise<CallSources> {
    // If the project has reached the cap for one of these kinds of records, another project replaces it.
    await this.#createRecords(endpoint).catch(async () => {
      await this.#replaceProject();
      await this.#createRecords(endpoint);
    });
    const { project, callers } = this.#attacker;
    const owner = callers.owner as Caller;
    const readsFile = Object.hasOwn(schemaOf(endpoint.query).properties ?? {}, 'path');
    return {
      project,
      ...(readsFile && { filePath: await storeImage(owner, project) }),
      entitled: endpoint.role === 'instance-admin' ? await anInstanceAdmin() : owner,
      others: [...Object.values(callers), ...INVALID_TOKENS],
      own: this.#own,
      foreign: this.#marked,
    };
  }

  async #createRecords(endpoint: Endpoint): Promise<void> {
    const { project, callers } = this.#attacker;
    const fixture = { ...callers, project: { id: project } } as unknown as ProjectFixture;
    for (const kind of kindsOf(endpoint)) this.#own[kind] ??= await RECORD_MAKERS[kind](fixture);
  }

  /** Replaces what the calls may have removed: the records that they named, or the project with its callers. */
  async #renew(endpoint: Endpoint): Promise<void> {
    for (const kind of endpoint.method === 'delete' ? kindsOf(endpoint) : []) delete this.#own[kind];
    const { project, callers, isUnchanged } = this.#attacker;
    const { status } = await api(callers.owner).get(`/v3/projects/${project}`);
    if (status !== 200 || !(await isUnchanged())) await this.#replaceProject();
  }

  async #replaceProject(): Promise<void> {
    this.#attacker = await actorsOfProject();
    this.#own = {};
  }

  async #check(endpoint: Endpoint, sent: FuzzCall): Promise<string[]> {
    const { method, path, headers, body } = sent;
    const { checkOpenapi } = this.#options;
    const text = `${method} ${path} ${JSON.stringify(headers)} ${String(body)}`;
    for (const secret of this.#marked.secretsIn(String(body))) this.#sentSecrets.add(secret);
    const reply = call(method, (await anApi()) + path, { body, headers, checkOpenapi });
    const replyOrHang = await withinHangTime(reply.catch((error: unknown) => String(error)));
    const problem = typeof replyOrHang === 'string' ? replyOrHang : this.#problemOf(endpoint, replyOrHang, text);
    if (typeof replyOrHang !== 'string') this.#count(endpoint, replyOrHang.status);
    return problem ? [`${problem}\n  ${text.slice(0, 1500)}`] : [];
  }

  #problemOf(endpoint: Endpoint, { status, text }: Reply, call: string): string | undefined {
    if (status > maxStatusOf(endpoint)) return `${status} ${text}`;
    if (endpoint.role === 'instance-admin') return undefined;
    const leak = this.#marked
      .secretsIn(text)
      .find((secret) => !call.includes(secret) && !this.#sentSecrets.has(secret));
    return leak && `leak of ${leak}: ${status} ${text}`;
  }

  #count({ method, path }: Endpoint, status: number): void {
    const statusClass = String(status)[0] ?? '';
    this.totals.calls += 1;
    this.totals.byClass[statusClass] = (this.totals.byClass[statusClass] ?? 0) + 1;
    if (statusClass === '2') this.totals.succeeded.add(`${method} ${path}`);
  }
}
