// Releases large buffers immediately instead of waiting for the garbage collector.

/** Smaller buffers are not worth releasing, and busboy may still use them, because it emits its own buffers too. */
const minBytes = 4096

/**
 * Frees the memory of a large buffer, which is then empty, unless other buffers share the memory. Hundreds of mebibytes
 * that await collection make the collector traverse the whole heap repeatedly.
 */
export function release({ buffer, length }: Buffer): void {
  if (length >= minBytes && buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
