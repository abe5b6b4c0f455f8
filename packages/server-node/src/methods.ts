// A method for each operation of the API, by its name in the API reference.
import { type Operations, operations } from './operations.ts'

export interface CallOptions {
  /** A call repeated with the same key has no second effect. By default a new key is generated for each call. */
  idempotencyKey?: string
  /** An id for the logs of both sides; 1 to 128 characters. */
  correlationId?: string
  /** Aborts the call, also during a delay between two tries. */
  signal?: AbortSignal
}

export type OperationName = keyof Operations

/** The input of an operation: what it takes, and the options of the call. Optional if all of it is. */
type Input<Name extends OperationName> = Omit<Operations[Name], 'data'> & CallOptions
export type Method<Name extends OperationName> = (
  ...input: Partial<Input<Name>> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]
) => Promise<Operations[Name]['data']>

type NameWith<Credential extends string> = {
  [Name in OperationName]: (typeof operations)[Name][2] extends Credential ? Name : never
}[OperationName]

/** The methods of the operations with one credential. `Pick` keeps their comments, so editors mark deprecated ones. */
export type MethodsWith<Credential extends string, Except = never> = {
  [Name in keyof Pick<Operations, Exclude<NameWith<Credential>, Except>>]: Method<Name>
}

/** The input of any operation. `token` replaces the API key. */
export interface AnyInput extends CallOptions {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: object
  token?: string
}
export type CallByName = (name: OperationName, input: AnyInput) => Promise<unknown>

/** A method for each operation with this credential. */
export const methodsFor = (
  credential: string,
  call: CallByName,
): Record<string, (input?: AnyInput) => Promise<unknown>> =>
  Object.fromEntries(
    (Object.keys(operations) as OperationName[])
      .filter((name) => operations[name][2] === credential)
      .map((name) => [name, (input: AnyInput = {}) => call(name, input)]),
  )
