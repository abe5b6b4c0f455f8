// Releases large buffers immediately instead of waiting for the garbage collector.

/** Below it nothing is gained, and the piece may be a parser's own: busboy hands on the memory in which it keeps a beginning of the boundary. */
const leastBytes = 4096

/**
 * Frees the memory of a large buffer that has it for itself; the buffer is empty afterwards. Hundreds of mebibytes
 * awaiting collection make the collector traverse the whole heap repeatedly.
 */
export function release({ buffer, length }: Buffer): void {
  if (length >= leastBytes && buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
