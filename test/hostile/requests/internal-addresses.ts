/** Addresses that lead inside, in many spellings, or are none; those of this machine have the port of a canary. */
export function internalAddresses(port: number): readonly string[] {
  return [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `https://127.1:${port}/`,
    `https://0x7f.0.0.1:${port}/`,
    `https://2130706433:${port}/`,
    `https://0.0.0.0:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://[::ffff:7f00:1]:${port}/`,
    `https://[64:ff9b::7f00:1]:${port}/`,
    'https://169.254.169.254/latest/meta-data/',
    'https://[fe80::1]/',
    'https://10.0.0.1/',
    'https://user:secret@example.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'https://',
    '\u0000',
  ];
}
