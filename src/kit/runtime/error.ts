// What can be read of something that was thrown, which may be anything at all.

/** The message of an error; anything else as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The code of an error of Node or PostgreSQL, such as `ENOENT` or `40001`; empty when it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
