/** What callbacks are signed with. */
export interface WebhookSecrets {
  /** For tenants that have none of their own. */
  readonly webhookSecret: string | null;
  /** A tenant's own; two while one takes over from the other. (C41) */
  readonly webhookSecrets: readonly { readonly tenant: string; readonly secret: string }[];
}

/** The secrets that a tenant's callbacks are signed with: its own, else the one for all; none where there is neither. */
export function secretsOf(tenant: string, { webhookSecret, webhookSecrets }: WebhookSecrets): string[] {
  const own = webhookSecrets.filter((entry) => entry.tenant === tenant).map(({ secret }) => secret);
  if (own.length > 0) return own;
  return webhookSecret === null ? [] : [webhookSecret];
}
