/** Addresses in mails: our own page for accounts, by the paths that a dashboard has for it, or that dashboard (contract a 3.2, 3.4). */
import { config } from '../config.ts';

/** Where clients find this instance. */
export const clientsUrl = (): string => config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`;

const pages = (): string => config.DASHBOARD_URL ?? `${clientsUrl().replace(/\/$/, '')}/account`;

const page = (path: string): string => `${pages()}#/${path}`;

export const links = {
  verify: (user: string, key: string) => page(`verify/email/${user}/${key}`),
  resetPassword: (key: string) => page(`resetpassword/${key}`),
  signIn: () => page('login'),
  /** Where somebody asks for a link that sets a new password. */
  forgotPassword: () => page('forgotpassword'),
  /** The page of an invited person, who has no account yet; `secret` is the invitation's. */
  signUp: (secret: string) => page(`signup/${secret}`),
  /** A conversation, where there is a dashboard to show it. */
  conversation: (project: string, request_id: string) =>
    config.DASHBOARD_URL && page(`project/${project}/request/${encodeURIComponent(request_id)}`),
  desktop: (project: string, path: string, token: string) =>
    page(`project/${project}/${path}?token=${encodeURIComponent(token)}`),
};
