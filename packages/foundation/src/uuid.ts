// The form of a UUID of any origin. `id.ts` makes our own.

/** A UUID of any version, in upper or lower case. */
export const uuidPattern = '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[1-8][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$'

const strictUuid = new RegExp(uuidPattern)
export const isUuid = (text: string): boolean => strictUuid.test(text)
