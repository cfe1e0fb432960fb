/**
 * Links in emails. They lead to the dashboard at `DASHBOARD_URL` or, without this setting, to the built-in account
 * page, which uses the same paths.
 */
import { config } from '../config.ts';

/** The public URL of this instance. */
export const publicUrl = (): string => config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`;

const dashboardUrl = (): string => config.DASHBOARD_URL ?? `${publicUrl().replace(/\/$/, '')}/account`;

const pageUrl = (path: string): string => `${dashboardUrl()}#/${path}`;

export const links = {
  verify: (user: string, key: string) => pageUrl(`verify/email/${user}/${key}`),
  resetPassword: (key: string) => pageUrl(`resetpassword/${key}`),
  signIn: () => pageUrl('login'),
  /** The page on which a user requests a password reset. */
  forgotPassword: () => pageUrl('forgotpassword'),
  /** The sign-up page for an invited person without an account; `secret` comes from `invitationSecret`. */
  signUp: (secret: string) => pageUrl(`signup/${secret}`),
  /** The page of a conversation; undefined without `DASHBOARD_URL`. */
  conversation: (project: string, request_id: string) =>
    config.DASHBOARD_URL && pageUrl(`project/${project}/request/${encodeURIComponent(request_id)}`),
  desktop: (project: string, path: string, token: string) =>
    pageUrl(`project/${project}/${path}?token=${encodeURIComponent(token)}`),
};
