// What a key may be made for, as plain values: the schemas and the page read the same ones.

export const keyScopes = ['sessions', 'webhooks', 'sandbox'] as const
/** A week: a key that is rolled is out of every server by then. */
export const longestOverlapHours = 168

/**
 * What decides whether a page can hold the journey. `allowed`: its origin is in the list · `secure`: it is https, or of this
 * machine · `reachable`: it answered · `frame-policy`: its Content-Security-Policy lets it hold our frame · `permissions`: its
 * Permissions-Policy leaves camera and microphone to frames · `embedder-policy`: what it wants of frames is what ours say.
 */
export const embedFindings = [
  'allowed',
  'secure',
  'reachable',
  'frame-policy',
  'permissions',
  'embedder-policy',
] as const
export type EmbedFinding = (typeof embedFindings)[number]
