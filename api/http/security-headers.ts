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

/** Security headers of every answer; widgets on other sites may read the API, so resources are cross-origin. */
export const securityHeaders = helmet({
  contentSecurityPolicy: { useDefaults: false, directives },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  frameguard: { action: 'deny' },
  strictTransportSecurity: config.REQUIRE_HTTPS,
});
