// Keeps the bytes of PDFs until their end, where an encrypted PDF has what its key is derived from.
import { BadContent } from './content-reading.ts'

/** The memory of all copies in a thread (`test/full/installation/chart.test.ts`); the largest file has 20 MiB. */
export const maxCopiedBytes = 32 << 20
let keptBytes = 0

export interface FileCopy {
  add(piece: Buffer): void
  /** Throws `BadContent` if other copies had no room for this one. */
  pieces(): Buffer[]
  drop(): void
}

export function newFileCopy(): FileCopy {
  let pieces: Buffer[] = []
  let bytes = 0
  let isComplete = true

  function drop(): void {
    keptBytes -= bytes
    pieces = []
    bytes = 0
    isComplete = false
  }
  return {
    add(piece) {
      if (!isComplete) return
      keptBytes += piece.length
      bytes += piece.length
      pieces.push(piece)
      if (keptBytes > maxCopiedBytes) drop()
    },
    pieces() {
      if (!isComplete) throw new BadContent('busy', 'could not be read because too many files are waiting')
      return pieces
    },
    drop,
  }
}
