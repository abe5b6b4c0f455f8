// Releases large buffers immediately instead of waiting for the garbage collector.

/** Smaller buffers are not worth releasing, and busboy may still need them: it passes on its partial boundaries. */
const minBytes = 4096

/**
 * Frees the memory of a large buffer that shares it with no other; the buffer is empty afterwards. Hundreds of
 * mebibytes that await collection make the collector traverse the whole heap repeatedly.
 */
export function release({ buffer, length }: Buffer): void {
  if (length >= minBytes && buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
