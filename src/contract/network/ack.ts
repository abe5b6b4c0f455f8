// The synchronous answer to every message: stored and well formed, or not (FIS12 §3.1).
import { OneOf, type Static, Type } from '#kit/http/schema.ts'

/** The `error` of a NACK and of an error callback (FIS12 §3.2). */
export const NetworkError = Type.Object({
  code: Type.String(),
  message: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
})
export type NetworkError = Static<typeof NetworkError>

export const Acknowledgement = Type.Object({
  message: Type.Object({ ack: Type.Object({ status: OneOf(['ACK', 'NACK']) }) }),
  error: Type.Optional(NetworkError),
})
export type Acknowledgement = Static<typeof Acknowledgement>

export const ack: Acknowledgement = { message: { ack: { status: 'ACK' } } }

/** A refusal of the message as such; no callback will follow it. */
export const nack = (error: NetworkError): Acknowledgement => ({ message: { ack: { status: 'NACK' } }, error })
