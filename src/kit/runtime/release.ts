// Memory of large pieces that pass through: given back at once, not when the collector next looks.

/**
 * Gives back the memory of a buffer that nobody uses any more, when it is alone in it; afterwards it is empty. Hundreds of
 * mebibytes that wait for the collector make it go through the whole heap of the program again and again.
 */
export function release({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
