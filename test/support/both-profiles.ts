/** Runs tests against both wire profiles, with the headers that deployed clients send. */
import { anApi, type Caller, call, type Reply } from './api.ts';
import { anApiProcess, theDeployedClientsApi } from './api-process.ts';

/** The names of the wire profiles. */
export const PROFILES = ['specification', 'deployed-clients'] as const;
export type Profile = (typeof PROFILES)[number];

const BROWSER = {
  accept: 'application/json, text/plain, */*',
  'accept-language': 'it-IT,it;q=0.9,en;q=0.8',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
};

/** Headers that identify each kind of client. */
export const CLIENTS = {
  dashboard: { ...BROWSER, origin: 'https://panel.example.com', referer: 'https://panel.example.com/' },
  widget: { ...BROWSER, origin: 'https://shop.example.com', referer: 'https://shop.example.com/cart?size=40' },
  app: { accept: '*/*', 'accept-encoding': 'gzip', 'user-agent': 'Chat/3.1 (iPhone; iOS 17.5; Scale/3.00)' },
  library: { accept: 'application/json, text/plain, */*', 'user-agent': 'axios/0.27.2' },
} as const;

/** A call that a client makes; a body of type string is sent as a form. */
export interface ClientCall {
  client: keyof typeof CLIENTS;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  as?: Caller;
  body?: unknown;
}

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** Sends a call to the API in one profile. */
export type SendCall = (call: ClientCall) => Promise<Reply>;

const sendTo =
  (base: string, checkOpenapi: boolean): SendCall =>
  ({ client, method, path, as, body }) => {
    const headers: Record<string, string> = { ...CLIENTS[client], ...(typeof body === 'string' && FORM_TYPE) };
    if (as) headers.authorization = as.authorization;
    return call(method, base + path, { body, headers, checkOpenapi: checkOpenapi });
  };

/**
 * Both profiles for the tests of one `describe`: the API of this process, and an API process in the `deployed-clients`
 * profile, which has `settings` if they are given. `each` runs a test in both; `send` makes one call in one of them.
 */
export const bothProfiles = (settings?: Record<string, string>) => {
  const senders: Partial<Record<Profile, SendCall>> = {};
  let stop: (() => Promise<unknown>) | undefined;

  before(async () => {
    const deployed = await (settings
      ? anApiProcess({ ...settings, WIRE_PROFILE: 'deployed-clients' })
      : theDeployedClientsApi());
    if (settings) stop = deployed.stop;
    senders.specification = sendTo(await anApi(), true);
    // The OpenAPI document of this process describes its own profile only; the other process checks its own replies.
    senders['deployed-clients'] = sendTo(deployed.url, false);
  });
  after(() => stop?.());

  const senderOf = (profile: Profile): SendCall => {
    const sender = senders[profile];
    if (!sender)
      throw new Error(
        `The API in the ${profile} profile is not running: send() and each() can only be called within tests`,
      );
    return sender;
  };
  return {
    send: (profile: Profile, call: ClientCall): Promise<Reply> => senderOf(profile)(call),
    /** Runs a test in one profile after the other. */
    each: async (test: (send: SendCall, profile: Profile) => Promise<unknown>): Promise<void> => {
      for (const profile of PROFILES) await test(senderOf(profile), profile);
    },
  };
};
