import { VARIABLES } from '../src/config/config.ts';

const HEAD = `# Configuration

Every setting of the service is an environment variable with a default. \`tiercut config\` lists them with their current values, \`tiercut config --json\` as JSON.
An unknown variable that starts with \`TIERCUT_\` is an error. The service reports all faults of its configuration at once and does not start.
\`npm run golden -- configuration\` writes this page from the source code.

| variable | default | meaning |
|---|---|---|
`;

/** docs/reference/configuration.md: every variable, as `tiercut config` describes it. */
export function configurationPage(): string {
  const rows = Object.values(VARIABLES).map(({ name, default: fallback, doc }) => {
    const shown = fallback === '' ? 'none' : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${doc.replaceAll('|', '\\|')} |\n`;
  });
  return HEAD + rows.join('');
}
