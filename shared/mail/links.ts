/**
 * Links in mails: to the dashboard of `DASHBOARD_URL` or, without one, to the built-in account page, which uses the
 * same paths.
 */
import { config } from '../config.ts';

/** The public URL of this instance. */
export const clientsUrl = (): string => config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`;

const pages = (): string => config.DASHBOARD_URL ?? `${clientsUrl().replace(/\/$/, '')}/account`;

const page = (path: string): string => `${pages()}#/${path}`;

export const links = {
  verify: (user: string, key: string) => page(`verify/email/${user}/${key}`),
  resetPassword: (key: string) => page(`resetpassword/${key}`),
  signIn: () => page('login'),
  /** The page on which a user requests a password reset. */
  forgotPassword: () => page('forgotpassword'),
  /** The sign-up page for an invited person without an account; `secret` is the secret of the invitation. */
  signUp: (secret: string) => page(`signup/${secret}`),
  /** The page of a conversation; undefined without a dashboard. */
  conversation: (project: string, request_id: string) =>
    config.DASHBOARD_URL && page(`project/${project}/request/${encodeURIComponent(request_id)}`),
  desktop: (project: string, path: string, token: string) =>
    page(`project/${project}/${path}?token=${encodeURIComponent(token)}`),
};
