/** What is rendered first: what someone waits for, then what was chosen, then the other shapes. (C12) */
export const PRIORITY = { awaited: 300, selected: 200, other: 100 } as const;
