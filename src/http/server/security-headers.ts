/** On every reply. What a page needs beyond this it says itself, with PAGE_POLICY. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), microphone=(), display-capture=()',
};

/** The studio records takes: itself, and nothing that it would embed. */
export const STUDIO_PERMISSIONS = 'camera=(self), microphone=(self), display-capture=(self)';

/** What our own pages may do: load from here, play what is here, and nothing inline. */
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
 * The studio starts workers and loads fonts. No text becomes script in it, but for the addresses that its one Trusted Types
 * policy lets through.
 */
export const STUDIO_POLICY = [
  PAGE_POLICY,
  "font-src 'self'",
  "worker-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types studio',
].join('; ');
