// What a key may be made for, as plain values: the schemas and the page read the same ones.

export const keyScopes = ['sessions', 'webhooks', 'sandbox'] as const
/** A week: a key that is rolled is out of every server by then. */
export const longestOverlapHours = 168
