// Type of the global that the script `/sdk/lendloom.js` defines.
declare global {
  const Lendloom: typeof import('./lendloom.ts')
}

export type {}
