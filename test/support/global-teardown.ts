import { stops } from './environment.ts';

export default async function globalTeardown(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}
