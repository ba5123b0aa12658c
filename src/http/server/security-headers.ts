/** Headers of every response. A page adds what it needs with PAGE_POLICY. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), microphone=(), display-capture=()',
};

/** The studio records takes; embedded content may not. */
export const STUDIO_PERMISSIONS = 'camera=(self), microphone=(self), display-capture=(self)';

/** The policy of our pages: load and play from this origin only, nothing inline. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The studio starts workers and loads fonts. No text becomes script in it, except the addresses that its one Trusted
 * Types policy accepts.
 */
export const STUDIO_POLICY = [
  PAGE_POLICY,
  "font-src 'self'",
  "worker-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types studio',
].join('; ');
