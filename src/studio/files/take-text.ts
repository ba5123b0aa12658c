import { addressesIn, takeAddresses } from './take-address.ts';
import { takeList } from './take-list.ts';

/** Imports pasted or dropped text: URLs of pictures, names one a line, or a table. */
export async function takeText(text: string): Promise<void> {
  const addresses = addressesIn(text);
  if (addresses !== null) await takeAddresses(addresses);
  else if (text.trim() !== '') await takeList(text);
}
