/** Layouts: the places of camera and board. */
export const layout = 'Layout';
export const layoutOf = (name: string) => `Layout: ${name}`;
export const byHand = 'Custom';
