// Encodes arrays as binary parameters of PostgreSQL.

import { uuidBytes } from '@lendloom/seal/id'

/** Encodes a binary array parameter. The statement casts it, as in `${uuids(ids)}::uuid[]`. */
export const arrayOf = (oid: number, values: readonly (Buffer | null)[]): Buffer => {
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

/** Number of dimensions, flag of nulls, OID, length and lower bound, four bytes each. */
const headerLength = 20

/** Without values, only the first three of these. */
const emptyLength = 12

// The numbers are the OIDs of the element types in PostgreSQL's catalogue.

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

export const bigints = (values: readonly (bigint | number | null)[]): Buffer =>
  arrayOf(
    20,
    values.map((value) => (value === null ? null : int64(value))),
  )

export const instants = (values: readonly (Date | null)[]): Buffer =>
  arrayOf(
    1184,
    values.map((at) => (at === null ? null : int64((at.getTime() - epochMs) * 1000))),
  )

/** PostgreSQL counts microseconds from this instant. */
const epochMs = Date.UTC(2000, 0, 1)

function int64(value: bigint | number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}
