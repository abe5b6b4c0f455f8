// The SDK as a page gets it from a plain script, `/sdk/lendloom.js`.
declare global {
  const Lendloom: typeof import('./lendloom.ts')
}

export type {}
