// A refusal is an answer we meant to give; anything else that is thrown is a bug.

/**
 * Why a request is refused, in our own words. Every API maps each kind to the status and code of its document,
 * as a `Record<Kind, …>`, so that a forgotten kind does not compile.
 */
export const kinds = {
  malformed: 'not JSON, or not readable at all',
  invalid: 'readable, but a field is wrong; `details.field` names it',
  'bad-api-key': 'no API key, or one that opens nothing here',
  'bad-session': 'no session token, or one that has ended',
  'bad-credential': 'a signature, or the credential of a partner, is not right',
  forbidden: 'known, but not allowed to do this',
  absent: 'does not exist, or belongs to somebody else',
  'wrong-method': 'the path is there, the method is not',
  'wrong-state': 'the journey, offer or step is not where this act is possible',
  locked: 'another offer holds the journey',
  pending: 'the same operation is still running',
  'reused-key': 'an idempotency key came back with other content',
  'too-large': 'the body is larger than this operation takes',
  'unsupported-media': 'the content is of a kind that this operation does not take',
  'rate-limited': 'too many requests; `Retry-After` says when the next one is worth it',
  damaged: 'what is stored was changed by something else, and is not read',
  upstream: 'a system that the platform depends on did not answer; try again',
} as const
export type RefusalKind = keyof typeof kinds

/** Details that a client can act on. `field` and `fields` are spelled as the client sent them. */
export type Details = { field?: string; fields?: FieldError[]; retryAfterSeconds?: number } & Record<string, unknown>

export interface FieldError {
  path: string
  message: string
}

export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly details: Details

  constructor(kind: RefusalKind, message: string, details: Details = {}) {
    super(message)
    this.name = 'Refusal'
    this.kind = kind
    this.details = details
  }
}

/** The console shows this to people: an internal error's message stays in the log, under the id. */
export const whyOf = (error: unknown, errorId: string): string =>
  error instanceof Refusal ? error.message : `an internal error stopped it; the log has it under ${errorId}`

/** The fields that an act is refused for; none when it is not. */
export function faultsOf(act: () => unknown): FieldError[] {
  try {
    act()
    return []
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return error.details.fields ?? []
    throw error
  }
}

/** The refusal for one or more wrong fields; the first one leads. */
export function invalid(first: FieldError, ...more: FieldError[]): Refusal {
  const fields = [first, ...more]
  return new Refusal('invalid', `${first.path || 'body'} ${first.message}`, { field: first.path, fields })
}
