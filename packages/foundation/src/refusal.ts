// A refusal is an intended error answer. Any other error is a bug.

/** The kinds of refusals. Each API maps every kind to its own status and code. */
export const kinds = {
  malformed: 'the request cannot be parsed, for example as JSON',
  invalid: 'a field is invalid; `details.field` names it',
  'bad-api-key': 'no API key, or an invalid one',
  'bad-session': 'no session token, or an expired one',
  'bad-credential': 'a signature or a partner’s credential is invalid',
  forbidden: 'the caller is not allowed to do this',
  absent: 'does not exist, or belongs to another caller',
  'wrong-method': 'the path exists, but not with this method',
  'wrong-state': 'not possible in the current state of the resource',
  locked: 'another choice is locked',
  pending: 'the same operation is still running',
  'reused-key': 'an idempotency key was reused with other content',
  'too-large': 'the body exceeds the limit of this operation, or has more than 20,000 elements and keys',
  'unsupported-media': 'the operation does not accept this content type',
  'rate-limited': 'too many requests; wait for `Retry-After`',
  damaged: 'stored data was modified outside the program and cannot be read',
  upstream: 'a system that the platform depends on did not answer; try again',
} as const
export type RefusalKind = keyof typeof kinds

/** Details that a client can act on. `field` and `fields` have paths as the client spelled them. */
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

/** Returns a message that may be shown to users. The message of an internal error is only in the log, under the id. */
export const publicMessageOf = (error: unknown, errorId: string): string =>
  error instanceof Refusal ? error.message : `an internal error occurred; the log has the details under ${errorId}`

/** Runs a check and returns the fields that the check refuses as `invalid`. Rethrows any other error. */
export function faultsOf(check: () => unknown): FieldError[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid') return error.details.fields ?? []
    throw error
  }
}

/** Returns the refusal of one or more invalid fields. The message names the first field. */
export function invalid(first: FieldError, ...more: FieldError[]): Refusal {
  const fields = [first, ...more]
  return new Refusal('invalid', `${first.path || 'body'} ${first.message}`, { field: first.path, fields })
}
