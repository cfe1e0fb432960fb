/** The security headers of every response. */
import type { Context } from 'koa';
import helmet from 'koa-helmet';
import { config } from '#shared/config.ts';

/**
 * Pages may load files of this host only. Inline styles are allowed, because Bull Board and the API reference use them.
 */
const directives = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

const helmetMiddleware = helmet({
  contentSecurityPolicy: { useDefaults: false, directives },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  frameguard: { action: 'deny' },
  strictTransportSecurity: config.REQUIRE_HTTPS,
});

/** Runs helmet once: the headers are the same for every response. */
const computeHeaders = async (): Promise<Record<string, string>> => {
  const headers: Record<string, string> = {};
  const res = {
    setHeader: (name: string, value: string) => Object.assign(headers, { [name]: value }),
    removeHeader: () => undefined,
  };
  await helmetMiddleware({ req: {}, res } as unknown as Context, async () => undefined);
  return headers;
};

/** The computed headers. Resources are `cross-origin`, because widgets on other sites read the API. */
export const securityHeaders = await computeHeaders();
