// Decodes the shared secret of a one-time password app.

/** Decodes Base32 (RFC 4648), ignoring an incomplete last byte. */
export function base32Bytes(base32: string): Buffer {
  const bits = [...base32].map((digit) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(digit).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
