import type { Context } from 'koa';
import helmet from 'koa-helmet';
import { config } from '#shared/config.ts';

/** What our pages may load: their own files only. Bull Board and Swagger UI write `style` attributes. */
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

const header = helmet({
  contentSecurityPolicy: { useDefaults: false, directives },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  frameguard: { action: 'deny' },
  strictTransportSecurity: config.REQUIRE_HTTPS,
});

/** What helmet would set on every answer alike, worked out once. */
const settled = async (): Promise<Record<string, string>> => {
  const headers: Record<string, string> = {};
  const res = {
    setHeader: (name: string, value: string) => Object.assign(headers, { [name]: value }),
    removeHeader: () => undefined,
  };
  await header({ req: {}, res } as unknown as Context, async () => undefined);
  return headers;
};

/** Security headers of every answer; widgets on other sites may read the API, so resources are cross-origin. */
export const everywhere = await settled();
