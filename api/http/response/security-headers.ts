/** The security headers of every response. */
import type { Context } from 'koa';
import helmet from 'koa-helmet';
import { config } from '#shared/config.ts';

/** By default, pages may load files only from this host, and may not contain inline scripts or styles. */
const DIRECTIVES = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** Returns the headers that helmet sets. They do not depend on the request, so they are computed once, at startup. */
const computeHeaders = async (directives: Partial<typeof DIRECTIVES> = {}): Promise<Record<string, string>> => {
  const middleware = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { ...DIRECTIVES, ...directives } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: config.REQUIRE_HTTPS,
  });
  const headers: Record<string, string> = {};
  const res = {
    setHeader: (name: string, value: string) => Object.assign(headers, { [name]: value }),
    removeHeader: () => undefined,
  };
  await middleware({ req: {}, res } as unknown as Context, async () => undefined);
  return headers;
};

/** The headers. `Cross-Origin-Resource-Policy` is `cross-origin`, because widgets on other sites read the API. */
export const securityHeaders = await computeHeaders();

const withInlineStyles = await computeHeaders({ styleSrc: ["'self'", "'unsafe-inline'"] });

/**
 * The headers of pages whose third-party scripts insert style elements and attributes: the API reference (Scalar) and
 * the queue board (Bull Board).
 */
export const inlineStyleHeaders = { 'Content-Security-Policy': withInlineStyles['Content-Security-Policy'] ?? '' };
