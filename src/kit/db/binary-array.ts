// Arrays as PostgreSQL itself writes them: a whole batch of values in one parameter, with nothing to parse on either side.
import { uuidBytes } from '#kit/crypto/id.ts'

/** An array parameter; the statement casts it, as in `${uuids(ids)}::uuid[]`. */
const arrayOf = (oid: number, values: readonly (Buffer | null)[]): Buffer => {
  let size = headerLength
  for (const value of values) size += 4 + (value?.length ?? 0)
  const bytes = Buffer.allocUnsafe(size)
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0)
  bytes.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  bytes.writeInt32BE(oid, 8)
  if (values.length === 0) return bytes.subarray(0, emptyLength)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = headerLength
  for (const value of values) {
    at = bytes.writeInt32BE(value?.length ?? -1, at)
    if (value) at += value.copy(bytes, at)
  }
  return bytes
}
const headerLength = 20
const emptyLength = 12

export const byteas = (values: readonly (Buffer | null)[]): Buffer => arrayOf(17, values)
export const texts = (values: readonly (string | null)[]): Buffer =>
  arrayOf(
    25,
    values.map((value) => (value === null ? null : Buffer.from(value, 'utf8'))),
  )
export const uuids = (values: readonly (string | null)[]): Buffer =>
  arrayOf(
    2950,
    values.map((value) => (value === null ? null : uuidBytes(value))),
  )
export const booleans = (values: readonly boolean[]): Buffer =>
  arrayOf(
    16,
    values.map((value) => Buffer.of(value ? 1 : 0)),
  )
export const bigints = (values: readonly number[]): Buffer => arrayOf(20, values.map(int64))
export const instants = (values: readonly Date[]): Buffer =>
  arrayOf(
    1184,
    values.map((at) => int64((at.getTime() - epochMs) * 1000)),
  )

/** PostgreSQL counts microseconds from here. */
const epochMs = Date.UTC(2000, 0, 1)

function int64(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}
