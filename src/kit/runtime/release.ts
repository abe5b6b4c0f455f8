// Memory of large pieces that pass through: given back at once, not when the collector next looks.

/** Below it nothing is gained, and the piece may be a parser's own: busboy hands on the memory in which it keeps a beginning of the boundary. */
const leastBytes = 4096

/**
 * Gives back the memory of a buffer that is no longer used, when it is alone in it and not small; afterwards it is empty. Hundreds of
 * mebibytes that wait for the collector make it go through the whole heap of the program again and again.
 */
export function release({ buffer, length }: Buffer): void {
  if (length >= leastBytes && buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
